// Owns the list of types: all of them as rows, for the eye that reads and the ear that hears.
// Never shows more of one than a line.

import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useMemo, useState } from 'react';
import type { Model, ObjectType } from '../../../core/model.ts';
import { count } from '../../ui/format.ts';

interface TypeListProps {
  readonly model: Model;
  readonly counts: Readonly<Record<string, number | null>> | undefined;
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
}

/** The list, facts first. */
export const TypeList = ({ model, counts, selected, onSelect }: TypeListProps) => {
  const [filter, setFilter] = useState('');
  const shown = useMemo(() => {
    const words = filter.trim().toLowerCase();
    return [...model.types]
      .sort(byKindAndName)
      .filter(
        ({ name, attributes }) =>
          name.toLowerCase().includes(words) ||
          attributes.some((one) => one.name.toLowerCase().includes(words)),
      );
  }, [model.types, filter]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const heads = [...event.currentTarget.querySelectorAll<HTMLElement>('tbody button')];
    const at = heads.indexOf(document.activeElement as HTMLElement);
    heads[Math.min(heads.length - 1, Math.max(0, at + step))]?.focus();
  };
  return (
    <div className="model-list">
      <div className="toolbar">
        <TextInput
          aria-label="Find a type or an attribute"
          placeholder="Find a type or an attribute"
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
          w={260}
        />
        <span className="small ink-2">
          {shown.length === model.types.length
            ? ''
            : `${count(shown.length)} of ${count(model.types.length)}`}
        </span>
      </div>
      <div className="model-list-scroll">
        <table className="model-table" onKeyDown={onKeyDown}>
          <thead>
            <tr>
              <th scope="col">Type</th>
              <th scope="col">Kind</th>
              <th scope="col">Key</th>
              <th scope="col" className="right">
                Attributes
              </th>
              <th scope="col">Refers to</th>
              <th scope="col">Streams</th>
              <th scope="col" className="right">
                Rows
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((type) => (
              <tr
                key={type.id}
                data-selected={type.id === selected || undefined}
                onClick={() => onSelect(type.id)}
              >
                <th scope="row">
                  <button type="button" aria-pressed={type.id === selected}>
                    {type.name}
                  </button>
                </th>
                <td className="ink-2">{type.kind}</td>
                <td className="mono">{type.key.join(', ') || <span className="ink-3">–</span>}</td>
                <td className="right">{count(type.attributes.length)}</td>
                <td className="ink-2">{namesOf(type, model)}</td>
                <td className="ink-2">{type.streams.join(', ')}</td>
                <td className="right">{rowsOf(type, counts)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {shown.length === 0 ? (
          <p className="model-graph-none">No type or attribute has this in its name.</p>
        ) : null}
      </div>
    </div>
  );
};

const byKindAndName = (one: ObjectType, other: ObjectType): number =>
  one.kind === other.kind ? one.name.localeCompare(other.name) : one.kind === 'fact' ? -1 : 1;

const namesOf = ({ links }: ObjectType, { types }: Model): string =>
  links.map(({ to }) => types.find(({ id }) => id === to)?.name ?? to).join(', ');

const rowsOf = ({ id, rows }: ObjectType, counts: TypeListProps['counts']): string => {
  const now = counts ? counts[id] : rows;
  return now == null ? '–' : count(now);
};
