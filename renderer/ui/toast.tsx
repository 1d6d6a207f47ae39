// Owns what stands in a toast: a mark, words, one action. Never shows itself.

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Mark, type MarkName } from './mark.tsx';
import './toast.css';

/** The inside of a toast. */
export const Toast = ({
  mark,
  children,
  action,
  onAction,
}: {
  mark: MarkName;
  children: ReactNode;
  action?: string;
  onAction?: () => void;
}) => (
  <span className="toast">
    <Mark name={mark} />
    <span className="grow">{children}</span>
    {action ? (
      <Button variant="default" onClick={onAction}>
        {action}
      </Button>
    ) : null}
  </span>
);
