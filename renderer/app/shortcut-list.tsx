// Owns the list of shortcuts under `?`.

import { Modal } from '@mantine/core';
import { Key } from '../ui/parts.tsx';
import { LIST, shownKeys } from './keys.ts';

/** The list as a dialog. */
export const ShortcutList = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => (
  <Modal opened={isOpen} onClose={onClose} title="Shortcuts">
    <dl className="shortcuts">
      {LIST.map(([keys, does]) => (
        <div key={keys}>
          <dt>{does}</dt>
          <dd>
            <Key>{shownKeys(keys)}</Key>
          </dd>
        </div>
      ))}
    </dl>
  </Modal>
);
