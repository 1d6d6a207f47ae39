// Owns opening a knowledgebase's folder from anywhere: asked for in the system's dialog, in a browser by its path.
// Never closes on a fault: what was typed stays.

import { Button, Input } from '@mantine/core';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { api, client, faultOf, queryClient } from '../api.ts';
import { bridge } from '../bridge.ts';
import { chooseKnowledgebase, useEngine } from './live.ts';

/** Opens the folder at a path, puts it in the list and shows it. Throws what the engine says. */
export const openAt = async (path: string): Promise<void> => {
  const { id } = await client.knowledgebases.open({ path });
  await queryClient.invalidateQueries({ queryKey: api.knowledgebases.key() });
  chooseKnowledgebase(id);
};

interface OpenFolderProps {
  readonly label: string;
  /** The path that stands in the field at first. */
  readonly first?: string;
  /** Whether it is this one that the menu's command asks. */
  readonly isOnCommand?: boolean;
}

/** The button, and in a browser the field before it. */
export const OpenFolder = ({ label, first = '', isOnCommand = false }: OpenFolderProps) => {
  const [path, setPath] = useState(first);
  const [fault, setFault] = useState<string | null>(null);
  const [isOpening, setOpening] = useState(false);
  const isAway = useEngine().state !== 'ready';
  const id = useId();
  const open = async (asked: string | null): Promise<void> => {
    if (asked === null || asked === '') return;
    setOpening(true);
    setFault(null);
    try {
      await openAt(asked);
      setPath('');
    } catch (error) {
      const { message, hint } = faultOf(error);
      setFault(`${message} ${hint}`.trim());
    } finally {
      setOpening(false);
    }
  };
  const shell = bridge;
  const ask = useRef(() => {});
  ask.current = () => void shell?.openFolderDialog().then(open);
  useEffect(() => {
    if (!isOnCommand) return undefined;
    const onCommand = (): void => ask.current();
    window.addEventListener('strata:open-folder', onCommand);
    return () => window.removeEventListener('strata:open-folder', onCommand);
  }, [isOnCommand]);
  if (shell) {
    return (
      <div className="open-folder">
        <Button
          variant="default"
          disabled={isAway}
          loading={isOpening}
          onClick={() => ask.current()}
        >
          {label}
        </Button>
        {fault ? (
          <p className="small bad-text" role="alert">
            {fault}
          </p>
        ) : null}
      </div>
    );
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void open(path.trim());
  };
  return (
    <form className="open-folder-form" onSubmit={submit}>
      <Input.Wrapper
        size="xs"
        id={id}
        label={label}
        description="The folder that has the knowledgebase.json, by its whole path on the engine's machine."
        error={fault}
      >
        <div className="open-folder-line">
          <Input
            id={id}
            size="xs"
            value={path}
            onChange={(event) => {
              setPath(event.currentTarget.value);
              setFault(null);
            }}
            error={fault !== null}
            classNames={{ input: 'mono' }}
            autoComplete="off"
            spellCheck={false}
          />
          <Button
            type="submit"
            variant="default"
            disabled={isAway || path.trim() === ''}
            loading={isOpening}
          >
            Open
          </Button>
        </div>
      </Input.Wrapper>
    </form>
  );
};
