// Owns what a person tells support: version, home, process, start, licence.

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, faultOf } from '../../api.ts';
import { useEngine } from '../../app/live.ts';
import { bridge } from '../../bridge.ts';
import { clock, fullTime } from '../../ui/format.ts';
import { CopyButton, Facts, Loading, Strip } from '../../ui/parts.tsx';
import { SettingGroup } from './setting.tsx';

/** About. */
export const About = () => {
  const { data: status, error } = useQuery(api.engine.status.queryOptions());
  const engine = useEngine();
  if (!status) {
    return (
      <SettingGroup id="about" title="About">
        {error ? (
          <Strip tone="bad" what={faultOf(error).message} />
        ) : (
          <Loading>Asking the engine</Loading>
        )}
      </SettingGroup>
    );
  }
  const { version, home, pid, startedAt } = status;
  const text = `Strata ${version}, home ${home}, pid ${pid}, started ${startedAt}`;
  return (
    <SettingGroup
      id="about"
      title="About"
      aside={<CopyButton text={text} label="Copy all of it" />}
    >
      <div className="setting-facts">
        <Facts
          facts={[
            ['Version', `Strata ${version}`],
            [
              'Home',
              <span key="home" className="setting-home">
                <span className="mono">{home}</span>
                {bridge ? (
                  <Button variant="default" h={24} onClick={() => void bridge?.reveal(home)}>
                    Reveal
                  </Button>
                ) : null}
              </span>,
            ],
            [
              'Engine',
              `pid ${pid}${engine.state === 'stopped' ? `, stopped at ${clock(engine.at)}` : ''}`,
            ],
            ['Started', `${fullTime(startedAt)} UTC`],
            ['Licence', 'Apache-2.0'],
          ]}
        />
      </div>
    </SettingGroup>
  );
};
