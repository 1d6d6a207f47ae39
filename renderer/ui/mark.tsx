// Owns the status marks: 14 px, filled, ours, so that they never look like buttons. Never says a word itself.

export type MarkName =
  | 'landing'
  | 'idle'
  | 'new'
  | 'lagging'
  | 'error'
  | 'unknown'
  | 'landed'
  | 'rejected'
  | 'replayed'
  | 'refused'
  | 'discarded'
  | 'cancelled'
  | 'repaired'
  | 'running'
  | 'waiting';

const COLORS: Readonly<Record<MarkName, string>> = {
  landing: 'ok-mark',
  idle: 'idle-mark',
  new: 'idle-mark',
  lagging: 'warn-mark',
  error: 'bad-mark',
  unknown: 'idle-mark',
  landed: 'ok-mark',
  rejected: 'bad-mark',
  replayed: 'ink-3',
  refused: 'warn-mark',
  discarded: 'ink-3',
  cancelled: 'ink-3',
  repaired: 'ink-3',
  running: 'accent-mark',
  waiting: 'ink-3',
};

/** A status mark. Decorative: the word for it stands beside it, or is given as `label`. */
export const Mark = ({ name, label }: { name: MarkName; label?: string }) => {
  const look = {
    className: name === 'running' ? 'mark turning' : 'mark',
    width: 14,
    height: 14,
    viewBox: '0 0 14 14',
    fill: 'none',
    stroke: 'none',
    style: { color: `var(--s-${COLORS[name]})` },
  };
  return label ? (
    <svg {...look} role="img" aria-label={label}>
      {SHAPES[name]}
    </svg>
  ) : (
    <svg {...look} aria-hidden="true">
      {SHAPES[name]}
    </svg>
  );
};

const line = {
  stroke: 'currentColor',
  strokeWidth: 1.6,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;

const BARRED = (
  <>
    <circle cx="7" cy="7" r="4.6" stroke="currentColor" strokeWidth="1.5" />
    <path d="m3.8 3.8 6.4 6.4" stroke="currentColor" strokeWidth="1.5" />
  </>
);

const SHAPES: Readonly<Record<MarkName, React.ReactNode>> = {
  landing: <circle cx="7" cy="7" r="4" fill="currentColor" />,
  idle: <circle cx="7" cy="7" r="3.4" stroke="currentColor" strokeWidth="1.4" />,
  new: (
    <circle
      cx="7"
      cy="7"
      r="3.6"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeDasharray="1.4 1.43"
    />
  ),
  lagging: (
    <>
      <path d="M7 1.2 13.4 12.6H.6Z" fill="currentColor" />
      <path
        d="M7 5v3.6M7 10.4v.6"
        stroke="var(--s-bg-content)"
        strokeWidth="1.4"
        strokeLinecap="round"
      />
    </>
  ),
  error: (
    <>
      <path d="M4.3.8h5.4l3.5 3.5v5.4l-3.5 3.5H4.3L.8 9.7V4.3Z" fill="currentColor" />
      <path
        d="M7 3.8v4M7 9.9v.4"
        stroke="var(--s-bg-content)"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
    </>
  ),
  unknown: <path d="M4 7h6" {...line} />,
  landed: <path d="m2.5 7.5 3 3 6-7" {...line} />,
  rejected: <path d="m3.2 3.2 7.6 7.6m0-7.6-7.6 7.6" {...line} />,
  replayed: (
    <path
      d="M3 6V5.4A1.9 1.9 0 0 1 4.9 3.5H11m0 0L9.2 1.8M11 3.5 9.2 5.2M11 8v.6a1.9 1.9 0 0 1-1.9 1.9H3m0 0 1.8-1.7M3 10.5l1.8 1.7"
      {...line}
      strokeWidth="1.3"
    />
  ),
  refused: BARRED,
  cancelled: BARRED,
  discarded: (
    <path d="M2.5 4h9M5.5 4V2.6h3V4M3.6 4l.5 7.5h5.8l.5-7.5" {...line} strokeWidth="1.3" />
  ),
  repaired: (
    <path
      d="M8.6 5.4a2.9 2.9 0 0 1 3.6-3.9L10.3 3.4l.3 1.3 1.2.2 1.6-1.7a2.9 2.9 0 0 1-3.9 3.6l-5 5a1.5 1.5 0 0 1-2.1-2.1Z"
      {...line}
      strokeWidth="1.3"
    />
  ),
  running: (
    <>
      <circle cx="7" cy="7" r="4.6" stroke="currentColor" strokeOpacity=".25" strokeWidth="1.8" />
      <path
        d="M7 2.4a4.6 4.6 0 0 1 4.6 4.6"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
    </>
  ),
  waiting: <path d="M4.8 3v8M9.2 3v8" {...line} strokeWidth="2" />,
};
