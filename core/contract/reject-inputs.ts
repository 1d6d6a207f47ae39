// Owns the inputs that name rejects and say how they are mended. Never names a procedure.

import { z } from 'zod';
import type { FaultShape } from '../model.ts';
import { id, knowledgebase, stream } from './inputs.ts';

const rejectId = z.string().min(1).max(160);
const time = z.iso.datetime();

/** One reject. */
export const one = stream.extend({ rejectId });

const shape: z.ZodType<FaultShape, FaultShape> = z.enum([
  'two_objects',
  'cut_short',
  'ends_early',
  'trailing',
  'no_record',
  'name',
  'value',
  'punctuation',
  'string',
  'number',
  'other',
  'body',
]);

/** Members of RejectFilter. */
export const filter = {
  stream: id.optional(),
  state: z.enum(['open', 'replayed', 'discarded']).optional(),
  code: z.string().max(40).optional(),
  field: z.string().max(1_000).nullable().optional(),
  shape: shape.optional(),
  sender: z.string().max(400).optional(),
  since: time.optional(),
  until: time.optional(),
  text: z.string().min(1).max(1_000).optional(),
  operation: z.string().max(80).optional(),
};

const name = z.string().max(70_000);

/** A Fix. */
export const fix = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('drop-lines') }),
  z.object({ kind: z.literal('drop-field'), field: name }),
  z.object({ kind: z.literal('rename-field'), field: name, to: z.string().min(1).max(255) }),
  z.object({ kind: z.literal('register-column'), column: z.string().min(1).max(255) }),
  z.object({ kind: z.literal('keep-duplicate'), keep: z.enum(['first', 'last']) }),
  z.object({ kind: z.literal('replace-invalid-utf8') }),
  z.object({ kind: z.literal('replace-lone-surrogates') }),
  z.object({ kind: z.literal('split-objects') }),
  z.object({ kind: z.literal('drop-cut-line') }),
  z.object({ kind: z.literal('unpack') }),
  z.object({ kind: z.literal('land-good-lines') }),
  z.object({ kind: z.literal('own-batch-id') }),
]);

const fixes = z.array(fix).max(20).optional();

/** Members of Mend. */
export const mend = {
  body: z.union([z.object({ text: z.string() }), z.object({ base64: z.base64() })]).optional(),
  edits: z
    .array(z.object({ line: z.number().int().min(1), text: z.string().nullable() }))
    .max(100_000)
    .optional(),
  fixes,
};

const chosen = z.union([
  z.object({
    rejects: z
      .array(z.object({ stream: id, rejectId }))
      .min(1)
      .max(10_000),
  }),
  z.object({ filter: z.object(filter) }),
]);

/** A RejectSelection. */
export const selection = knowledgebase.extend({ selection: chosen });

/** A choice, and the fixes for each of it. */
export const selectionWithMend = selection.extend({ fixes });
