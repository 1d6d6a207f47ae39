// Owns what there is to know of the listener: its address, port and limits. Where they are changed is not its own.

import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { api } from '../../api.ts';
import { bridge } from '../../bridge.ts';
import { bytes, count, duration } from '../../ui/format.ts';
import { CopyButton, Facts } from '../../ui/parts.tsx';
import { ListenerPlace } from './listener-place.tsx';
import { Setting, SettingGroup } from './setting.tsx';

/** The listener. */
export const ListenerSettings = ({ knowledgebase }: { knowledgebase: string }) => {
  const { data: status } = useQuery(api.engine.status.queryOptions());
  const { data: view } = useQuery(
    api.knowledgebases.get.queryOptions({ input: { knowledgebase } }),
  );
  const listener = status?.listener ?? null;
  const post = `${listener?.url ?? ''}/knowledgebase/${knowledgebase}/strata/ingest/`;
  return (
    <SettingGroup id="listener" title="Listener">
      {bridge ? (
        <ListenerPlace
          key={`${listener?.host} ${listener?.port}`}
          host={listener?.host ?? null}
          port={listener?.port ?? null}
          tokenNeeded={listener?.tokenNeeded ?? false}
        />
      ) : (
        <>
          <Setting
            name="Address"
            means={
              <>
                {reachOf(listener)} Set where the engine is started:{' '}
                <code>strata serve --host 0.0.0.0</code>
              </>
            }
          >
            <span className="mono">{listener?.host ?? '–'}</span>
          </Setting>
          <Setting
            name="Port"
            means={
              <>
                Set where the engine is started: <code>strata serve --port 7433</code>
              </>
            }
          >
            <span className="mono">{listener?.port ?? '–'}</span>
          </Setting>
        </>
      )}
      {listener === null ? null : (
        <>
          <Setting name="POST to" means="The stream's name stands at its end.">
            <span className="mono setting-post">{breakable(post)}</span>
            <CopyButton text={post} label="Copy the address for POST" />
          </Setting>
          <div className="setting-limits">
            <div className="strong">Limits</div>
            <p className="small ink-2">
              Beyond a limit nothing of the batch lands, and the answer names the limit.
            </p>
            <Facts
              facts={[
                ['Body', view ? `${bytes(view.maxBodyBytes)} unpacked, else 413` : '–'],
                [
                  'In flight',
                  `${count(listener.inFlightBatchesPerStream)} POSTs or ${bytes(listener.inFlightBytesPerStream)} of a stream, else 429`,
                ],
                ['Headers', `within ${duration(listener.headerTimeoutMs)}, else 408`],
                ['Whole body', `within ${duration(listener.bodyTimeoutMs)}, else 408`],
                ['Idle', `a connection is closed after ${duration(listener.keepAliveMs)}`],
                ['Batch', '2,000 columns a stream, 64 levels in a value, an id of 128 characters'],
              ]}
            />
          </div>
        </>
      )}
    </SettingGroup>
  );
};

/** An address that is broken between its parts where it does not fit in a line; copied as it is. */
const breakable = (address: string): ReactNode =>
  address.split(/(?<=[^/:]\/)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part has no name but its place.
    <Fragment key={at}>
      {at === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));

const reachOf = (listener: { readonly tokenNeeded: boolean } | null): string => {
  if (listener === null) return 'The engine does not listen.';
  return listener.tokenNeeded
    ? 'Other machines reach it, and every POST needs a token.'
    : 'Only programs on this machine reach it; no token is needed.';
};
