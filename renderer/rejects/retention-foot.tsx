// Owns the line under the inbox that says how long bodies are kept, and opens the dialog. Never changes it.

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../api.ts';
import { bytes, count } from '../ui/format.ts';
import { RetentionDialog } from './retention-dialog.tsx';

/** The line; the palette opens the dialog too. */
export const RetentionFoot = ({
  knowledgebase,
  isReady,
}: {
  knowledgebase: string;
  isReady: boolean;
}) => {
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(
    api.rejects.retention.get.queryOptions({ input: { knowledgebase }, staleTime: 30_000 }),
  );
  useEffect(() => {
    const open = (): void => setOpen(true);
    window.addEventListener('strata:retention', open);
    return () => window.removeEventListener('strata:retention', open);
  }, []);
  return (
    <div className="inbox-foot">
      <p>
        {data
          ? `Bodies are kept ${keptWords(data.days, data.bytes)}; ${count(data.bodies)} now, ${bytes(data.bodyBytes)}.`
          : 'Bodies are kept as retention says.'}
      </p>
      <button type="button" className="link" disabled={!isReady} onClick={() => setOpen(true)}>
        Retention…
      </button>
      <RetentionDialog
        knowledgebase={knowledgebase}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      />
    </div>
  );
};

/** How long, and up to what size. */
const keptWords = (days: number | null, limit: number | null): string => {
  const size = limit === null ? '' : `up to ${bytes(limit)}`;
  if (days === null) return size === '' ? 'for ever' : size;
  const long = `for ${count(days)} ${days === 1 ? 'day' : 'days'}`;
  return size === '' ? long : `${long}, ${size}`;
};
