// Owns the Export menu of an answer, and the toast when the file is there. Never writes a file.

import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { faultOf } from '../../api.ts';
import { go } from '../../app/router.ts';
import { bridge } from '../../bridge.ts';
import { bytes, count } from '../../ui/format.ts';
import { Toast } from '../../ui/toast.tsx';
import { type ExportFormat, FORMATS, runExport } from './exports.ts';

interface ExportMenuProps {
  readonly knowledgebase: string;
  readonly sql: string;
  readonly name: string;
  readonly isOff: boolean;
  readonly onFault: (fault: { message: string; hint: string } | null) => void;
}

/** The menu; the job's progress stands in the bar and in Activity. */
export const ExportMenu = ({ knowledgebase, sql, name, isOff, onFault }: ExportMenuProps) => {
  const start = async (format: ExportFormat, word: string): Promise<void> => {
    onFault(null);
    try {
      const job = await runExport(knowledgebase, sql, name, format);
      if (!job) return;
      const { rows, sizeBytes, path } = job.result ?? {};
      const show = (): void => {
        notifications.hide(toast);
        if (bridge) void bridge.reveal(String(path));
        else go({ screen: 'activity' });
      };
      const toast = notifications.show({
        closeButtonProps: { 'aria-label': 'Close' },
        message: (
          <Toast mark="landed" action="Show" onAction={show}>
            {count(Number(rows))} rows to {word}, {bytes(Number(sizeBytes))}
          </Toast>
        ),
      });
    } catch (error) {
      onFault(faultOf(error));
    }
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          className="tool-button"
          variant="subtle"
          color="gray"
          disabled={isOff}
          leftSection={<IconDownload size={16} stroke={1.6} />}
          rightSection={<IconChevronDown size={14} stroke={1.6} />}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map(([format, word]) => (
          <Menu.Item key={format} onClick={() => void start(format, word)}>
            {word}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
