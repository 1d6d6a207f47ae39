// Owns how one setting stands: its name, what it means in one line, its control, how saving it went.
// Never saves.

import type { ReactNode } from 'react';
import { Mark } from '../../ui/mark.tsx';
import type { Saving } from './use-saving.ts';

/** A group of settings under a head. */
export const SettingGroup = ({
  id,
  title,
  aside,
  children,
}: {
  id: string;
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) => (
  <section className="setting-group" id={`settings-${id}`} aria-labelledby={`settings-${id}-title`}>
    <div className="setting-group-head">
      <h2 id={`settings-${id}-title`} tabIndex={-1}>
        {title}
      </h2>
      {aside}
    </div>
    {children}
  </section>
);

/** A setting. */
export const Setting = ({
  name,
  means,
  saving,
  children,
}: {
  name: string;
  means: ReactNode;
  saving?: Saving;
  children: ReactNode;
}) => (
  <div className="settings-row">
    <div className="setting-words">
      <div className="strong">{name}</div>
      <div className="small ink-2">{means}</div>
      {saving?.fault ? (
        <div className="setting-fault small" role="alert">
          <Mark name="error" />
          {saving.fault}
        </div>
      ) : null}
    </div>
    <div className="setting-control">
      <span className="setting-saved small" role="status">
        {saving?.isSaved ? (
          <>
            <Mark name="landed" /> Saved
          </>
        ) : null}
      </span>
      {children}
    </div>
  </div>
);
