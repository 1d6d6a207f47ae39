// Owns the tokens of one stream: made, shown once, revoked. Never keeps a secret.

import { Button, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TokenSummary } from '../../../core/model.ts';
import { api, faultOf, queryClient } from '../../api.ts';
import { useEngine } from '../../app/live.ts';
import { fullTime } from '../../ui/format.ts';
import { CopyButton } from '../../ui/parts.tsx';

interface StreamTokensProps {
  readonly knowledgebase: string;
  readonly stream: string;
}

const renew = (): void => {
  void queryClient.invalidateQueries({ queryKey: api.tokens.key() });
};

/** The tokens, and making one. */
export const StreamTokens = ({ knowledgebase, stream }: StreamTokensProps) => {
  const isReady = useEngine().state === 'ready';
  const [label, setLabel] = useState('');
  const { data: tokens, error } = useQuery(
    api.tokens.list.queryOptions({ input: { knowledgebase } }),
  );
  const create = useMutation(
    api.tokens.create.mutationOptions({
      onSuccess: () => {
        setLabel('');
        renew();
      },
    }),
  );
  const revoke = useMutation(api.tokens.revoke.mutationOptions({ onSuccess: renew }));
  const own = tokens?.filter((token) => token.stream?.toLowerCase() === stream.toLowerCase()) ?? [];
  const wide = tokens?.filter((token) => token.stream === null).length ?? 0;
  const fault = error ?? create.error ?? revoke.error;
  const ask = (token: TokenSummary): void => {
    modals.openConfirmModal({
      title: `Revoke ${token.label || token.id}?`,
      children: 'Producers that send it are refused from now on. What has landed stays.',
      labels: { confirm: 'Revoke', cancel: 'Keep' },
      confirmProps: { className: 'bad-button' },
      cancelProps: { 'data-autofocus': true },
      onConfirm: () => revoke.mutate({ knowledgebase, id: token.id }),
    });
  };
  return (
    <>
      {create.data ? (
        <div className="token-secret" role="status">
          <p>This is the token. It is shown this once.</p>
          <span className="stream-copied">
            <code>{create.data.secret}</code>
            <CopyButton text={create.data.secret} label="Copy the token" />
          </span>
        </div>
      ) : null}
      {own.map((token) => (
        <div className="stream-setting-row" key={token.id}>
          <span className="grow cut">{token.label || <span className="ink-3">no label</span>}</span>
          <span className="mono small">{token.id}</span>
          <span className="small ink-2">{fullTime(token.createdAt).slice(0, -4)}</span>
          <Button variant="subtle" color="gray" disabled={!isReady} onClick={() => ask(token)}>
            Revoke…
          </Button>
        </div>
      ))}
      <form
        className="stream-setting-form"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ knowledgebase, stream, label });
        }}
      >
        <TextInput
          aria-label="What the token is for"
          placeholder="What it is for"
          maxLength={80}
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={!isReady} loading={create.isPending}>
          New token
        </Button>
      </form>
      {fault && isReady ? (
        <p className="small bad-text">
          {faultOf(fault).message} {faultOf(fault).hint}
        </p>
      ) : null}
      {wide > 0 ? (
        <p className="small ink-3">
          {wide} {wide === 1 ? 'token' : 'tokens'} of the whole knowledgebase can send here too.
        </p>
      ) : null}
    </>
  );
};
