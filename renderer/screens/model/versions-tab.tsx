// Owns the list of versions, a bed each, and restoring one as a new version.
// Never changes a version: none ever is.

import { Button } from '@mantine/core';
import { useState } from 'react';
import { client, faultOf } from '../../api.ts';
import { fullTime } from '../../ui/format.ts';
import { Loading, Strip } from '../../ui/parts.tsx';
import { bedOf } from './beds.ts';
import { changeCounts, originOf } from './diff-words.ts';
import { renewModel, useVersions } from './use-model.ts';
import { VersionPanel } from './version-panel.tsx';
import './versions.css';

/** The tab. */
export const VersionsTab = ({ knowledgebase }: { knowledgebase: string }) => {
  const { data, error } = useVersions(knowledgebase, true);
  const [chosen, setVersion] = useState<number | null>(null);
  const [isOpen, setOpen] = useState(true);
  const [fault, setFault] = useState<{ message: string; hint: string } | null>(null);
  if (!data) {
    return error ? (
      <Strip tone="bad" what={faultOf(error).message}>
        {faultOf(error).hint}
      </Strip>
    ) : (
      <Loading>Reading the versions</Loading>
    );
  }
  const shown = data.find(({ version }) => version === chosen) ?? data[0];
  const setChosen = (version: number): void => {
    setVersion(version);
    setOpen(true);
  };
  const restore = async (version: number): Promise<void> => {
    setFault(null);
    try {
      const made = await client.ontology.restore({ knowledgebase, version });
      setChosen(made.version);
    } catch (thrown) {
      setFault(faultOf(thrown));
    }
    await renewModel();
  };
  return (
    <>
      {fault ? (
        <Strip
          tone="bad"
          what={fault.message}
          actions={
            <Button variant="default" onClick={() => setFault(null)}>
              Close
            </Button>
          }
        >
          The model is as it was. {fault.hint}
        </Strip>
      ) : null}
      <div className="split model-split">
        <div className="model-list model-list-scroll">
          <table className="model-table versions-table">
            <thead>
              <tr>
                <th scope="col">Version</th>
                <th scope="col">From</th>
                <th scope="col">Why</th>
                <th scope="col">Types</th>
                <th scope="col">By</th>
                <th scope="col">When, UTC</th>
              </tr>
            </thead>
            <tbody>
              {data.map((one, index) => (
                <tr
                  key={one.version}
                  data-selected={one.version === shown?.version || undefined}
                  onClick={() => setChosen(one.version)}
                >
                  <th scope="row">
                    <span className="bed" data-bed={bedOf(index)} aria-hidden="true" />
                    <button type="button" aria-pressed={one.version === shown?.version}>
                      v{one.version}
                    </button>
                    {index === 0 ? <span className="small ink-2">live</span> : null}
                  </th>
                  <td>{originOf(one)}</td>
                  <td className="cut versions-why" title={one.why}>
                    {one.why}
                  </td>
                  <td className="ink-2">{changeCounts(one)}</td>
                  <td className="ink-2">{one.by}</td>
                  <td className="ink-2">{fullTime(one.at).slice(0, -4)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {shown && isOpen ? (
          <VersionPanel
            key={shown.version}
            knowledgebase={knowledgebase}
            version={shown}
            all={data}
            onRestore={() => void restore(shown.version)}
            onClose={() => setOpen(false)}
          />
        ) : null}
      </div>
    </>
  );
};
