// Owns how well a stream's columns match the attributes that the model has: by name, type, unit and values. Pure.
// Never merges anything; propose.ts does what a score says, and a person what they want.

import type {
  Attribute,
  AttributeMatch,
  ColumnEvidence,
  MatchPart,
  Model,
  ObjectType,
} from '../model.ts';
import { typeLikeness } from './casts.ts';
import { overlapOf } from './sketch.ts';
import { typeWord } from './type-word.ts';
import { nameLikeness, typeNameOfStream, wordsOf } from './words.ts';

/** From this score on a match is good enough to propose that the two are the same. */
export const SAME = 0.75;
/** Below this one it is not worth showing. */
const SHOWN = 0.3;

/** What each part counts; a part of which nothing is known on either side is left out. */
const WEIGHTS = { name: 0.45, type: 0.15, unit: 0.1, values: 0.3 } as const;

/** The best match of each column that has one, by column. Attributes of `without` (a stream's own) are left out. */
export const matchColumns = (
  stream: string,
  columns: readonly ColumnEvidence[],
  model: Model,
): Map<string, AttributeMatch> => {
  const candidates = model.types.flatMap((type) =>
    type.attributes
      .filter(({ role, sources }) => {
        // A reference only repeats the key that it leads to; a stream's own columns are known already.
        return role !== 'reference' && !sources.some((source) => source.stream === stream);
      })
      .map((attribute) => ({ type, attribute })),
  );
  const found = new Map<string, AttributeMatch>();
  for (const column of columns) {
    const scored = candidates
      .map(({ type, attribute }) => ({
        type,
        attribute,
        ...score(stream, column, type, attribute),
      }))
      .sort((one, other) => other.score - one.score);
    const [best] = scored;
    if (!best || best.score < SHOWN) continue;
    const second = scored.find(({ type }) => type !== best.type);
    found.set(column.column, {
      ...{ column: column.column, type: best.type.id, typeName: best.type.name },
      ...{ attribute: best.attribute.name, score: best.score, parts: best.parts },
      runnerUp: second
        ? {
            ...{ type: second.type.id, typeName: second.type.name },
            ...{ attribute: second.attribute.name, score: second.score },
          }
        : null,
    });
  }
  return found;
};

const score = (
  stream: string,
  column: ColumnEvidence,
  type: ObjectType,
  attribute: Attribute,
): { score: number; parts: MatchPart[] } => {
  const parts = [
    namePart(nameIn(stream, column.column), nameIn(type.name, attribute.name)),
    typePart(column, attribute),
    unitPart(column, attribute),
    valuesPart(column, attribute),
  ].filter((part) => part !== undefined);
  const total = parts.reduce((sum, { part }) => sum + WEIGHTS[part], 0);
  const sum = parts.reduce((all, one) => all + one.score * WEIGHTS[one.part], 0);
  return { score: round(sum / total), parts };
};

const round = (score: number): number => Math.round(score * 100) / 100;

/** A bare `id` or `name` is that of the thing that it stands in. */
const nameIn = (owner: string, name: string): string =>
  wordsOf(name).length === 1 && /^(id|uuid|guid|key|code|name|title|number)$/i.test(name)
    ? `${typeNameOfStream(owner)}_${name}`
    : name;

const namePart = (one: string, other: string): MatchPart => {
  const likeness = round(nameLikeness(one, other));
  const words = likeness === 1 ? `${other}, the same` : `${one} and ${other}`;
  return { part: 'name', score: likeness, words };
};

const typePart = ({ readAs }: ColumnEvidence, { type }: Attribute): MatchPart => ({
  part: 'type',
  score: typeLikeness(readAs.type, type),
  words:
    readAs.type === type
      ? `${typeWord(type)} in both`
      : `${typeWord(readAs.type)} and ${typeWord(type)}`,
});

const unitPart = ({ unit: mine }: ColumnEvidence, { unit }: Attribute): MatchPart | undefined => {
  if (mine === null && unit === null) return undefined;
  const words = mine === unit ? `${unit} in both` : `${mine ?? 'none'} and ${unit ?? 'none'}`;
  return { part: 'unit', score: mine === unit ? 1 : 0, words };
};

const valuesPart = (column: ColumnEvidence, { evidence }: Attribute): MatchPart | undefined => {
  const overlap = evidence ? overlapOf(column, evidence) : null;
  if (!overlap) return undefined;
  const { known, looked, exact } = overlap;
  const sampled = exact ? '' : ', of a sample';
  return {
    part: 'values',
    score: looked === 0 ? 0 : round(known / looked),
    words: `${known} of ${looked} values known${sampled}`,
  };
};
