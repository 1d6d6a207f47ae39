// Owns asking before something is put aside or lost: the title asks, the text says what stays, the focus is on the
// safe button. Never does it by itself.

import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { Key } from '../ui/parts.tsx';

interface AskProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly keep: string;
  readonly act: string;
  readonly isBusy?: boolean;
  readonly fault?: string | null;
  readonly children: ReactNode;
  readonly onKeep: () => void;
  readonly onAct: () => void;
}

/** The question. */
export const Ask = ({
  isOpen,
  title,
  keep,
  act,
  isBusy,
  fault,
  children,
  onKeep,
  onAct,
}: AskProps) => (
  <Modal opened={isOpen} onClose={onKeep} title={title} withCloseButton={false}>
    <div className="ask">
      <div className="ink-2">{children}</div>
      {fault ? (
        <p className="small bad-text" role="alert">
          {fault}
        </p>
      ) : null}
      <div className="ask-buttons">
        <Button variant="default" data-autofocus onClick={onKeep} rightSection={<Key>Esc</Key>}>
          {keep}
        </Button>
        <Button className="bad-button" loading={isBusy ?? false} onClick={onAct}>
          {act}
        </Button>
      </div>
    </div>
  </Modal>
);
