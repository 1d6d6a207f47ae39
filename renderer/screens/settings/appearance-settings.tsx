// Owns choosing light, dark or what the system has. Saved at once, in the page and in the shell.

import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { bridge } from '../../bridge.ts';
import { Setting, SettingGroup } from './setting.tsx';

/** The appearance. */
export const AppearanceSettings = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const choose = (scheme: string): void => {
    setColorScheme(scheme as MantineColorScheme);
    void bridge?.setTheme(scheme as MantineColorScheme);
  };
  return (
    <SettingGroup id="appearance" title="Appearance">
      <Setting name="Colours" means="System follows the light or dark of this machine.">
        <SegmentedControl
          aria-label="Colours"
          value={colorScheme}
          onChange={choose}
          data={[
            { value: 'auto', label: 'System' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
      </Setting>
    </SettingGroup>
  );
};
