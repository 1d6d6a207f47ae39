// Owns showing a stream's folder, or a file of it, in the system's file manager. Nothing of it in a browser.
// Never names a path: the shell asks the engine where it is.

import { Button, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { faultOf } from '../../api.ts';
import { useEngine } from '../../app/live.ts';
import { bridge } from '../../bridge.ts';

interface RevealProps {
  readonly knowledgebase: string;
  readonly stream: string;
}

/** The link for one file. */
export const RevealFile = ({ knowledgebase, stream, file }: RevealProps & { file: string }) => {
  const [fault, setFault] = useState<string | null>(null);
  const isAway = useEngine().state !== 'ready';
  const shell = bridge;
  if (!shell) return null;
  return (
    <>
      <UnstyledButton
        className="stream-link"
        disabled={isAway}
        onClick={() =>
          void shell
            .revealIn({ knowledgebase, stream, file })
            .then(() => setFault(null))
            .catch((error) => setFault(wordsOf(error)))
        }
      >
        Reveal on disk
      </UnstyledButton>
      {fault ? (
        <span className="small bad-text" role="alert">
          {fault}
        </span>
      ) : null}
    </>
  );
};

/** The button for the folder of all its files. */
export const RevealFolder = ({ knowledgebase, stream }: RevealProps) => {
  const isAway = useEngine().state !== 'ready';
  const shell = bridge;
  if (!shell) return null;
  return (
    <Button
      variant="default"
      disabled={isAway}
      onClick={() => void shell.revealIn({ knowledgebase, stream }).catch(() => {})}
    >
      Reveal folder
    </Button>
  );
};

/** Electron says which call failed before why. */
const wordsOf = (error: unknown): string =>
  faultOf(error).message.replace(/^Error invoking remote method '[^']*': (Error: )?/, '');
