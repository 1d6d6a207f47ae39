// Owns the forms by which a person changes a type of the plan: name, type of a column, key, split, merge, drop.
// Never sends an edit itself.

import { Button, MultiSelect, Select, TextInput } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import type { ObjectType, Plan, PlanEdit, SqlType } from '../../../core/model.ts';
import { SQL_TYPES } from './plan-words.ts';

export type FormKind = 'rename' | 'retype' | 'key' | 'split' | 'merge' | 'drop';

/** The forms and what they are called in the menu. */
export const FORMS: readonly (readonly [FormKind, string])[] = [
  ['rename', 'Rename…'],
  ['retype', 'Change the type of a column…'],
  ['key', 'Change the key…'],
  ['split', 'Split…'],
  ['merge', 'Merge with another type…'],
  ['drop', 'Drop…'],
];

const VERBS: Readonly<Record<FormKind, string>> = {
  rename: 'Rename',
  retype: 'Read it so',
  key: 'Change the key',
  split: 'Split',
  merge: 'Merge',
  drop: 'Drop',
};

/** Stands for the type itself where a form could be about an attribute. */
const WHOLE = '';

interface PlanFormProps {
  readonly kind: FormKind;
  readonly plan: Plan;
  readonly type: ObjectType;
  /** The attribute that the form is about at first. */
  readonly attribute?: string;
  readonly isOff: boolean;
  readonly onEdit: (edit: PlanEdit) => void;
  readonly onClose: () => void;
}

/** One form, under the item that it changes. Esc closes it. */
export const PlanForm = (props: PlanFormProps) => {
  const { kind, plan, type, isOff, onEdit, onClose } = props;
  const [attribute, setAttribute] = useState(
    props.attribute ?? (kind === 'retype' ? (type.attributes[0]?.name ?? '') : WHOLE),
  );
  const named = type.attributes.find(({ name }) => name === attribute);
  const [name, setName] = useState(kind === 'rename' ? (named?.name ?? type.name) : '');
  const [sql, setSql] = useState<string>(named?.type ?? 'VARCHAR');
  const [format, setFormat] = useState(named?.sources[0]?.format ?? '');
  const [key, setKey] = useState<string[]>(kind === 'key' ? [...type.key] : []);
  const [moved, setMoved] = useState<string[]>([]);
  const [into, setInto] = useState<string | null>(null);
  const edit = editOf();

  function editOf(): PlanEdit | null {
    const about = attribute === WHOLE ? {} : { attribute };
    switch (kind) {
      case 'rename':
        return name.trim() === '' ? null : { kind, type: type.id, ...about, name };
      case 'retype': {
        const read = { kind, type: type.id, attribute, to: sql as SqlType };
        return attribute === WHOLE ? null : { ...read, format: format.trim() || null };
      }
      case 'key':
        return { kind, type: type.id, key };
      case 'split':
        return key.length === 0 || name.trim() === ''
          ? null
          : { kind, type: type.id, key, attributes: moved, name };
      case 'merge':
        return into === null ? null : { kind, type: type.id, into };
      case 'drop':
        return { kind, type: type.id, ...about };
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (edit && !isOff) onEdit(edit);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  const chooseAttribute = (next: string | null): void => {
    const found = type.attributes.find((one) => one.name === next);
    setAttribute(next ?? WHOLE);
    if (kind === 'rename') setName(found?.name ?? type.name);
    setSql(found?.type ?? 'VARCHAR');
    setFormat(found?.sources[0]?.format ?? '');
  };
  const attributes = type.attributes.map((one) => ({ value: one.name, label: one.name }));
  const columns = attributes.map(({ value }) => value);
  return (
    <form className="plan-form" aria-label={VERBS[kind]} onSubmit={submit} onKeyDown={onKeyDown}>
      {kind === 'rename' || kind === 'retype' || kind === 'drop' ? (
        <Select
          label={kind === 'retype' ? 'Column' : 'What'}
          value={attribute}
          onChange={chooseAttribute}
          allowDeselect={false}
          searchable={attributes.length > 12}
          data={
            kind === 'retype'
              ? attributes
              : [{ value: WHOLE, label: `the type ${type.name}` }, ...attributes]
          }
        />
      ) : null}
      {kind === 'key' || kind === 'split' ? (
        <MultiSelect
          size="xs"
          label={kind === 'key' ? 'Key' : 'Its key'}
          description={
            kind === 'key' && type.kind === 'fact'
              ? 'Without one, batch and line tell its rows apart.'
              : 'It stays behind as the reference.'
          }
          value={key}
          onChange={setKey}
          data={columns}
          searchable
          data-autofocus
        />
      ) : null}
      {kind === 'split' ? (
        <MultiSelect
          size="xs"
          label="What goes with it"
          value={moved}
          onChange={setMoved}
          data={columns.filter((one) => !key.includes(one) && !type.key.includes(one))}
          searchable
        />
      ) : null}
      {kind === 'rename' || kind === 'split' ? (
        <TextInput
          label={kind === 'split' ? 'Name of the new type' : 'New name'}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          ref={kind === 'rename' ? selectAll : undefined}
        />
      ) : null}
      {kind === 'retype' ? (
        <>
          <Select
            label="Read as"
            value={sql}
            onChange={(next) => setSql(next ?? 'VARCHAR')}
            allowDeselect={false}
            data={
              SQL_TYPES.some(({ value }) => value === sql)
                ? SQL_TYPES
                : [...SQL_TYPES, { value: sql, label: sql.toLowerCase() }]
            }
          />
          {/^(DATE|TIMESTAMP)/.test(sql) ? (
            <TextInput
              label="Format"
              description="Empty for ISO 8601; else as %d/%m/%Y."
              value={format}
              onChange={(event) => setFormat(event.currentTarget.value)}
              classNames={{ input: 'mono' }}
              maxLength={40}
              autoComplete="off"
              spellCheck={false}
            />
          ) : null}
        </>
      ) : null}
      {kind === 'merge' ? (
        <Select
          label="Into"
          placeholder="A type with a key of as many columns"
          value={into}
          onChange={setInto}
          searchable
          data={plan.model.types
            .filter(({ id, key: other }) => id !== type.id && other.length === type.key.length)
            .map((one) => ({ value: one.id, label: one.name }))}
        />
      ) : null}
      {kind === 'drop' ? (
        <p className="plan-note">
          {attribute === WHOLE
            ? 'Its attributes return to what refers to it.'
            : 'It stays in the raw stream, and is not proposed again.'}
        </p>
      ) : null}
      <div className="plan-form-foot">
        <Button type="submit" disabled={isOff || edit === null}>
          {VERBS[kind]}
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
};

/** The name is there to be typed over. */
const selectAll = (input: HTMLInputElement | null): void => {
  if (input && document.activeElement !== input) {
    input.focus();
    input.select();
  }
};
