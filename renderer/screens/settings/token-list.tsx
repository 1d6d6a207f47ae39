// Owns the tokens of the knowledgebase: which there are, making one, taking one back.
// Never keeps a secret: it is shown once.

import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TokenSummary } from '../../../core/model.ts';
import { api, client, faultOf, queryClient } from '../../api.ts';
import { useEngine } from '../../app/live.ts';
import { fullTime } from '../../ui/format.ts';
import { CopyButton, Loading, Strip } from '../../ui/parts.tsx';
import { NewToken } from './new-token.tsx';
import { SettingGroup } from './setting.tsx';

/** The tokens. */
export const TokenList = ({ knowledgebase }: { knowledgebase: string }) => {
  const { data, error } = useQuery(api.tokens.list.queryOptions({ input: { knowledgebase } }));
  const [secret, setSecret] = useState<{ id: string; label: string; secret: string } | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const isAway = useEngine().state !== 'ready';
  const revoke = async ({ id }: TokenSummary): Promise<void> => {
    setFault(null);
    try {
      await client.tokens.revoke({ knowledgebase, id });
      setSecret((shown) => (shown?.id === id ? null : shown));
      await queryClient.invalidateQueries({ queryKey: api.tokens.key() });
    } catch (thrown) {
      setFault(faultOf(thrown).message);
    }
  };
  return (
    <SettingGroup id="tokens" title="Tokens">
      <p className="setting-lead small ink-2">
        A producer sends its token as Authorization: Bearer. A stream that a token covers takes no
        batch without one, from this machine neither.
      </p>
      {secret ? (
        <div className="settings-secret" role="status">
          <div className="grow">
            <div className="strong">{secret.label === '' ? 'The new token' : secret.label}</div>
            <code>{secret.secret}</code>
            <div className="small ink-2">Copy it now: it is shown this once and kept nowhere.</div>
          </div>
          <CopyButton text={secret.secret} label="Copy the token" />
          <Button variant="default" onClick={() => setSecret(null)}>
            Done
          </Button>
        </div>
      ) : null}
      {fault ? <Strip tone="bad" what={fault} /> : null}
      {data ? (
        data.length === 0 ? (
          <p className="setting-lead ink-2">No token yet.</p>
        ) : (
          <ul className="setting-list" aria-label="Tokens">
            {data.map((token) => (
              <li key={token.id}>
                <span className="setting-list-words">
                  <span className="strong cut">
                    {token.label === '' ? 'No label' : token.label}
                  </span>
                  <span className="small ink-2 cut">
                    {token.stream === null ? 'every stream' : `stream ${token.stream}`}, made{' '}
                    {fullTime(token.createdAt).slice(0, -4)}
                  </span>
                </span>
                <span className="mono ink-2">{token.id}</span>
                <Button
                  variant="subtle"
                  color="cinnabar"
                  c={isAway ? undefined : 'var(--s-bad-text)'}
                  disabled={isAway}
                  aria-label={`Revoke ${token.label === '' ? token.id : token.label}`}
                  onClick={() => ask(token, () => void revoke(token))}
                >
                  Revoke…
                </Button>
              </li>
            ))}
          </ul>
        )
      ) : error ? (
        <Strip tone="bad" what={faultOf(error).message} />
      ) : (
        <Loading>Reading the tokens</Loading>
      )}
      <NewToken
        knowledgebase={knowledgebase}
        onMade={({ id, label }, made) => setSecret({ id, label, secret: made })}
      />
    </SettingGroup>
  );
};

const ask = ({ label, id }: TokenSummary, onYes: () => void): void => {
  modals.openConfirmModal({
    title: `Revoke ${label === '' ? id : `“${label}”`}?`,
    children: (
      <p className="ink-2" style={{ margin: 0 }}>
        Producers that use it are answered 401 from now on. What they sent stays. It cannot be
        brought back.
      </p>
    ),
    labels: { confirm: 'Revoke', cancel: 'Keep' },
    confirmProps: { className: 'bad-button' },
    cancelProps: { 'data-autofocus': true },
    onConfirm: onYes,
  });
};
