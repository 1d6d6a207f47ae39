// Owns the tree of the model's types beside the editor, where there is a model. A click puts the name into the SQL.
// Never runs anything.

import { useState } from 'react';
import { useModelView } from '../../app/live.ts';
import { modelLines } from './model-lines.ts';
import { NameTree } from './name-tree.tsx';

/** The head and the tree; nothing without a model, or where nothing in it has the filter. */
export const ModelTree = ({
  knowledgebase,
  filter,
  onView,
  onColumn,
}: {
  knowledgebase: string;
  filter: string;
  onView: (view: string) => void;
  onColumn: (name: string) => void;
}) => {
  const view = useModelView(knowledgebase);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const needle = filter.trim().toLowerCase();
  const lines = modelLines(view?.model.types ?? [], needle, toggled, { onView, onColumn });
  if (lines.length === 0) return null;
  return (
    <>
      <h2 className="label tree-head">Model v{view?.current}</h2>
      <NameTree
        label="Types of the model and their attributes"
        lines={lines}
        onToggle={(type) =>
          setToggled((before) => {
            const next = new Set(before);
            if (!next.delete(type)) next.add(type);
            return next;
          })
        }
      />
    </>
  );
};
