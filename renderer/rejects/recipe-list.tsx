// Owns the list of recipes: what each does and did, whether it works by itself, its name, removing it. Never applies one.

import { Button, Menu, Switch, TextInput } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Recipe } from '../../core/model.ts';
import { api, client, faultOf, queryClient } from '../api.ts';
import { useEngine } from '../app/live.ts';
import { addressOf } from '../app/router.ts';
import { CellValue } from '../ui/cell.tsx';
import { count, fullTime } from '../ui/format.ts';
import { Empty, Loading, Strip } from '../ui/parts.tsx';
import { Ask } from './ask.tsx';
import { fixesWords } from './choices.ts';
import './recipes.css';

interface RecipeListProps {
  readonly knowledgebase: string;
  /** Null for all streams. */
  readonly stream: string | null;
}

/** The recipes of a stream, or of all. */
export const RecipeList = ({ knowledgebase, stream }: RecipeListProps) => {
  const isReady = useEngine().state === 'ready';
  const [removing, setRemoving] = useState<Recipe | null>(null);
  const { data, error } = useQuery(
    api.rejects.recipes.list.queryOptions({
      input: { knowledgebase, ...(stream === null ? {} : { stream }) },
    }),
  );
  const remove = useMutation({
    mutationFn: (recipe: Recipe) =>
      client.rejects.recipes.remove({ knowledgebase, stream: recipe.stream, id: recipe.id }),
    onSuccess: () => {
      setRemoving(null);
      return queryClient.invalidateQueries({ queryKey: api.rejects.recipes.key() });
    },
  });
  if (!data) {
    return error && isReady ? (
      <Strip tone="bad" what={faultOf(error).message}>
        {faultOf(error).hint}
      </Strip>
    ) : (
      <Loading>Reading recipes</Loading>
    );
  }
  if (data.length === 0) {
    return (
      <Empty
        what={stream === null ? 'No recipe yet' : `${stream} has no recipe yet`}
        why="A recipe is a fix that was saved for a stream. It is offered for later rejects of the same cause, and can work by itself. Choose a fix of an open reject and save it with Save as a recipe."
      >
        <a
          href={addressOf(
            stream === null
              ? { screen: 'rejects', tab: 'open', at: null }
              : { screen: 'stream', stream, tab: 'rejects', at: null },
          )}
        >
          Open rejects
        </a>
      </Empty>
    );
  }
  return (
    <div className="recipes">
      <p className="recipes-words ink-2">
        A recipe is offered for every open reject of its cause. Switched on, it works by itself:
        what it mends without a fault lands at once, all else stays open.
      </p>
      <ul aria-label="Recipes">
        {data.map((recipe) => (
          <Line
            key={`${recipe.stream} ${recipe.id}`}
            knowledgebase={knowledgebase}
            recipe={recipe}
            isReady={isReady}
            onRemove={() => setRemoving(recipe)}
          />
        ))}
      </ul>
      <Ask
        isOpen={removing !== null}
        title={`Remove the recipe ${removing?.name ?? ''}?`}
        keep="Keep"
        act="Remove"
        isBusy={remove.isPending}
        fault={remove.error ? faultOf(remove.error).message : null}
        onKeep={() => setRemoving(null)}
        onAct={() => {
          if (removing) remove.mutate(removing);
        }}
      >
        What it landed stays as it is, and so do open rejects. Later rejects of its cause wait for a
        person again.
      </Ask>
    </div>
  );
};

const Line = ({
  knowledgebase,
  recipe,
  isReady,
  onRemove,
}: {
  knowledgebase: string;
  recipe: Recipe;
  isReady: boolean;
  onRemove: () => void;
}) => {
  const { stream, id, name, fixes, cause, tried, landed, rows, open, lastAt } = recipe;
  const [isNaming, setNaming] = useState(false);
  const update = useMutation({
    mutationFn: (change: { name?: string; automatic?: boolean }) =>
      client.rejects.recipes.update({ knowledgebase, stream, id, ...change }),
    onSuccess: () => {
      setNaming(false);
      return queryClient.invalidateQueries({ queryKey: api.rejects.recipes.key() });
    },
  });
  const rename = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const next = String(new FormData(event.currentTarget).get('name') ?? '').trim();
    if (next !== '') update.mutate({ name: next });
  };
  const isOn =
    update.isPending && update.variables.automatic !== undefined
      ? update.variables.automatic
      : recipe.automatic;
  return (
    <li className="recipe">
      <div>
        {isNaming ? (
          <form className="inline-form" onSubmit={rename}>
            <TextInput name="name" aria-label="Name" defaultValue={name} maxLength={80} autoFocus />
            <Button type="submit" loading={update.isPending}>
              Rename
            </Button>
            <Button variant="default" onClick={() => setNaming(false)}>
              Keep
            </Button>
          </form>
        ) : (
          <p className="recipe-name">
            <CellValue value={name} />
          </p>
        )}
        <p className="ink-2">
          {stream} <code>{cause.code}</code>
          {cause.field === null ? null : (
            <>
              {' '}
              <CellValue value={cause.field} />
            </>
          )}
          . <CellValue value={fixesWords(fixes)} />.
        </p>
        {update.error ? <p className="bad-text">{faultOf(update.error).message}</p> : null}
      </div>
      <p className="ink-2" title={lastAt === null ? undefined : `Last ${fullTime(lastAt)} UTC`}>
        {tried === 0
          ? 'Not used yet'
          : `${count(landed)} of ${count(tried)} landed, ${count(rows)} ${rows === 1 ? 'row' : 'rows'}`}
        {open > 0 ? (
          <>
            <br />
            <span className="bad-text">{count(open)} open now</span>
          </>
        ) : null}
      </p>
      <Switch
        label="By itself"
        description={
          recipe.automatic
            ? 'Later rejects of this cause are tried as they come.'
            : 'A person applies it.'
        }
        checked={isOn}
        disabled={!isReady}
        onChange={(event) => {
          if (!update.isPending) update.mutate({ automatic: event.currentTarget.checked });
        }}
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            px={6}
            disabled={!isReady}
            aria-label={`More of ${name}`}
          >
            <IconDots size={16} stroke={1.6} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setNaming(true)}>Rename</Menu.Item>
          <Menu.Item onClick={onRemove}>Remove…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  );
};
