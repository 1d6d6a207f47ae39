// Owns the model's object types and their attributes as lines of a tree. Never renders.

import type { Model } from '../../../core/model.ts';
import type { NameLine } from './name-tree.tsx';
import { sqlName } from './sql-words.ts';

/**
 * The lines, by name; of a filter (in small letters) what has it: an attribute shows its type. `toggled` are the types
 * whose chevron was used.
 */
export const modelLines = (
  types: Model['types'],
  filter: string,
  toggled: ReadonlySet<string>,
  { onView, onColumn }: { onView: (view: string) => void; onColumn: (name: string) => void },
): NameLine[] => {
  const has = (name: string): boolean => name.toLowerCase().includes(filter);
  return [...types]
    .sort((one, other) => one.name.localeCompare(other.name))
    .flatMap(({ id, name, kind, attributes }) => {
      const isHit = has(name);
      const shown = isHit ? attributes : attributes.filter((attribute) => has(attribute.name));
      if (!isHit && shown.length === 0) return [];
      const isOpen = filter === '' || isHit ? toggled.has(id) : !toggled.has(id);
      const view = `ontology.${sqlName(name)}`;
      const line = { aside: kind === 'fact' ? 'fact' : '', title: `Insert ${view}` };
      return [
        { key: id, level: 1 as const, isOpen, name, ...line, onEnter: () => onView(view) },
        ...(isOpen ? shown : []).map((attribute) => ({
          ...{ key: `${id}/${attribute.name}`, level: 2 as const, name: attribute.name },
          ...{ aside: typeWord(attribute.type), title: `Insert ${sqlName(attribute.name)}` },
          onEnter: () => onColumn(sqlName(attribute.name)),
        })),
      ];
    });
};

/** As the model says it. */
const typeWord = (type: string): string => (type === 'VARCHAR' ? 'text' : type.toLowerCase());
