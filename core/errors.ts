// Owns the one catalogue of error codes: what each means over HTTP and what to do about it.
// Never holds behaviour: who raises a code decides its message and details.

/** One line of the catalogue: the HTTP status a code answers with and the next step it offers. */
export interface CatalogueEntry {
  /** HTTP status code (RFC 9110); 507 is RFC 4918, 429 RFC 6585. */
  readonly status: number;
  /** What happened, in general; an AppError's own message says it of the case at hand. */
  readonly title: string;
  /** What to do next, unless the raiser knows better. */
  readonly hint: string;
}

const entry = (status: number, title: string, hint: string): CatalogueEntry => ({
  status,
  title,
  hint,
});

/**
 * Every code Strata answers with. docs/errors.md lists the same codes; a test holds the two together.
 * Codes are part of the contract: a code may be added, never renamed or reused.
 */
export const CATALOGUE = {
  // Faults of a batch. The body and the reason are kept in failed/ before the answer.
  not_json: entry(400, 'A line is not JSON', 'Send one JSON object a line (RFC 8259).'),
  not_object: entry(400, 'A line is not an object', 'Send one JSON object a line.'),
  duplicate_key: entry(400, 'A field stands twice in one record', 'Send each field once a record.'),
  column_case_conflict: entry(
    400,
    'Two fields of one record differ only in case',
    'Column names are compared without case; rename one of the two.',
  ),
  invalid_utf8: entry(400, 'The body is not UTF-8', 'Encode the body as UTF-8.'),
  invalid_unicode: entry(
    400,
    'A string has half a surrogate pair',
    'Send whole characters: \\uD800 to \\uDFFF only in pairs.',
  ),
  invalid_column_name: entry(
    400,
    'A field name cannot be a column',
    'Field names are 1 to 255 bytes of UTF-8 without NUL.',
  ),
  too_deep: entry(400, 'A value is nested too deep', 'Nest at most 64 levels inside a value.'),
  too_many_columns: entry(
    400,
    'Too many columns',
    'A stream has at most 2,000 columns; send nested data as one field.',
  ),
  unknown_column: entry(
    400,
    'A field is not registered',
    'Register the column on the stream, or leave the field out.',
  ),
  no_columns: entry(
    400,
    'No record has a field',
    'Send at least one field; an empty object lands only beside others.',
  ),
  empty_batch: entry(400, 'The batch has no records', 'Send at least one JSON object.'),
  bad_encoding: entry(
    400,
    'The body could not be unpacked',
    'Send the whole body, packed as Content-Encoding says.',
  ),
  invalid_batch_id: entry(
    400,
    'The batch id cannot be used',
    'Use 1 to 128 characters of A-Z a-z 0-9 . _ - that start with a letter or digit.',
  ),
  unsupported_media_type: entry(
    415,
    'The media type is not NDJSON',
    'Send Content-Type: application/x-ndjson.',
  ),
  unsupported_encoding: entry(
    415,
    'The content encoding is not known',
    'Send the body plain or with Content-Encoding: gzip.',
  ),
  batch_id_conflict: entry(
    422,
    'This batch id has landed with a different body',
    'Give every batch an id of its own; send the same body to repeat one.',
  ),

  // Refused at the door: nothing was taken in.
  token_missing: entry(
    401,
    'A token is needed',
    'Send Authorization: Bearer and the token of the knowledgebase or stream.',
  ),
  token_unknown: entry(401, 'The token is not known', 'Create a token with: strata token create.'),
  token_wrong_stream: entry(
    403,
    'The token is not for this stream',
    'Use the token of this stream or of its knowledgebase.',
  ),
  forbidden_host: entry(
    403,
    'The Host header names another server',
    'Address the listener by its own name or address.',
  ),
  forbidden_origin: entry(
    403,
    'Web pages cannot send batches',
    'Send from a program; a request with an Origin header is refused.',
  ),
  no_such_route: entry(
    404,
    'There is nothing at this address',
    'POST batches to /knowledgebase/{kb}/strata/ingest/{stream}.',
  ),
  no_such_knowledgebase: entry(
    404,
    'There is no such knowledgebase',
    'List them with: strata kb list. Create one with: strata kb create ID.',
  ),
  no_such_stream: entry(
    404,
    'There is no such stream',
    'Create it with: strata stream create KB STREAM.',
  ),
  invalid_stream_id: entry(
    404,
    'The stream id cannot be used',
    'Use 1 to 63 characters of A-Z a-z 0-9 _ - that start with a letter or digit.',
  ),
  method_not_allowed: entry(
    405,
    'This method is not for this address',
    'Use POST to land a batch.',
  ),
  body_timeout: entry(
    408,
    'The body did not arrive in time',
    'Send the batch again; --body-timeout is the setting.',
  ),
  header_timeout: entry(
    408,
    'The headers did not arrive in time',
    'Send the request again; --header-timeout is the setting.',
  ),
  not_http: entry(400, 'The request is not HTTP', 'Send HTTP/1.1 (RFC 9112).'),
  body_too_large: entry(
    413,
    'The body is too large',
    'Split the batch; max_body_bytes in knowledgebase.json is the setting.',
  ),
  stream_busy: entry(
    429,
    'Too much is in flight for this stream',
    'Wait as long as Retry-After says and send the batch again.',
  ),
  client_aborted: entry(499, 'The client hung up', 'Send the batch again; nothing landed.'),
  shutting_down: entry(503, 'Strata is shutting down', 'Send the batch again in a moment.'),
  folder_gone: entry(
    503,
    'The folder of the knowledgebase is gone',
    'Put it back, or open it where it is now with: strata kb open DIR.',
  ),
  stream_broken: entry(
    503,
    'The settings of the stream cannot be read',
    'Put back its stream.json from a copy, or move it away and make the stream again with: strata stream create KB STREAM. What has landed stays.',
  ),
  not_ready: entry(503, 'The knowledgebase is not ready', 'Send the batch again in a moment.'),
  knowledgebase_closing: entry(
    503,
    'The knowledgebase is being taken off the list',
    'Nothing of the batch landed. Send it again when the knowledgebase is open again.',
  ),
  disk_full: entry(507, 'The disk is full', 'Free some space and send the batch again.'),

  // What a person or a face asked for.
  invalid_argument: entry(400, 'That cannot be used', 'See: strata --help.'),
  invalid_knowledgebase_id: entry(
    400,
    'The knowledgebase id cannot be used',
    'Use 1 to 63 characters of A-Z a-z 0-9 _ - that start with a letter or digit.',
  ),
  knowledgebase_exists: entry(409, 'The knowledgebase exists', 'Choose another id.'),
  stream_exists: entry(409, 'The stream exists', 'Choose another id.'),
  not_a_knowledgebase: entry(
    409,
    'The folder is not a knowledgebase',
    'A knowledgebase has a knowledgebase.json; create one with: strata kb create ID.',
  ),
  no_such_reject: entry(404, 'There is no such reject', 'List them with: strata rejects list KB.'),
  reject_ambiguous: entry(
    409,
    'The reject id is in several streams',
    'Name the stream too, as in STREAM/ID.',
  ),
  reject_not_open: entry(
    409,
    'The reject is not open',
    'A discarded one can be reopened; a replayed one has landed.',
  ),
  replay_running: entry(
    409,
    'Another process is landing a reject of the stream',
    'Try again when it is done.',
  ),
  reject_not_discarded: entry(
    409,
    'The reject is not discarded',
    'Only a discard can be taken back.',
  ),
  reject_body_gone: entry(
    410,
    'The body of the reject was removed',
    'Ask its producer to send the batch again; the reason is still there.',
  ),
  fix_not_possible: entry(
    400,
    'The body cannot be mended so',
    'Choose another fix, or edit the body.',
  ),
  no_such_recipe: entry(404, 'There is no such recipe', 'The stream has others, or none.'),
  recipe_exists: entry(
    409,
    'The stream has a recipe of this name',
    'Choose another name, or remove that one.',
  ),
  format_too_new: entry(
    409,
    'The knowledgebase was made by a newer Strata',
    'Update Strata, then open it again.',
  ),
  folder_not_writable: entry(
    500,
    'The folder cannot be written',
    'Give this user the right to write there, or choose another folder.',
  ),
  ledger_broken: entry(
    500,
    'The ledger cannot be read',
    'Rebuild it from the folder with: strata repair KB.',
  ),
  writer_lock_held: entry(409, 'Another process is writing', 'Try again when it is done.'),
  duckdb_locked: entry(
    409,
    'kb.duckdb is open in another program',
    'Close it there. Raw streams can still be queried here.',
  ),
  query_failed: entry(400, 'The query failed', 'Correct the SQL and run it again.'),
  query_not_allowed: entry(
    403,
    'Only reading is allowed',
    'Run one SELECT over the views of the knowledgebase.',
  ),
  query_timeout: entry(408, 'The query took too long', 'Narrow it, or raise the time limit.'),
  query_cancelled: entry(499, 'The query was cancelled', 'Run it again.'),
  admin_token_wrong: entry(
    401,
    'The admin token is missing or wrong',
    'Use the address that strata serve printed; it carries the token.',
  ),
  port_taken: entry(409, 'The port is taken', 'Choose another with --port, or 0 for any.'),
  token_required: entry(
    409,
    'Listening on the network needs a token',
    'Create one with: strata token create KB.',
  ),
  nothing_to_compact: entry(
    409,
    'There is nothing to compact',
    'Compaction pays from two loose files on; a dry run says what waits.',
  ),
  nothing_to_undo: entry(
    409,
    'There is no compaction to undo',
    'A run can be undone while its originals are kept and no later run stands on it.',
  ),
  compaction_running: entry(
    409,
    'A compaction is running',
    'One runs at a time in a knowledgebase; try again when it is done.',
  ),
  compaction_differs: entry(
    500,
    'A compacted batch differs from its original',
    'Run: strata verify KB.',
  ),
  folders_apart: entry(
    409,
    'The folders of a stream are on different disks',
    'Compaction moves files by renaming: put all folders of the stream on one disk.',
  ),
  verify_failed: entry(
    409,
    'The promises do not hold',
    'Run: strata repair KB, then verify again.',
  ),
  // The ontology.
  model_store_none: entry(
    409,
    'This knowledgebase keeps no model',
    'Give it a model store with: strata model store KB sqlite.',
  ),
  model_store_unreachable: entry(
    503,
    'The model store cannot be reached',
    'Check the server and the address with: strata model store KB. Raw streams are not affected.',
  ),
  stream_has_no_rows: entry(409, 'The stream has no rows', 'Land a batch first.'),
  promotion_running: entry(
    409,
    'A promotion is running',
    'Wait until it is done, or cancel it; then promote again.',
  ),
  no_such_plan: entry(
    404,
    'There is no such plan',
    'Promote the stream again with: strata promote KB STREAM.',
  ),
  plan_undecided: entry(
    409,
    'The plan is not decided',
    'Accept or refuse what is left, or accept the rest.',
  ),
  plan_outdated: entry(
    409,
    'Another version was applied since',
    'Promote the stream again: the new plan starts from the newest version.',
  ),
  edit_not_possible: entry(
    400,
    'The plan cannot be changed so',
    'Nothing was changed; choose another name, type or key.',
  ),
  no_such_type: entry(
    404,
    'There is no such object type',
    'List the types with: strata model show KB.',
  ),
  no_such_version: entry(
    404,
    'There is no such version',
    'List the versions with: strata model versions KB.',
  ),
  snapshot_differs: entry(
    409,
    'The snapshot is not what the ledger says',
    'Run: strata verify KB, then promote again.',
  ),
  work_interrupted: entry(
    500,
    'The process that did the work ended before it was done',
    'Nothing was changed. Do it again; if it happens again, the log has more.',
  ),
  out_of_memory: entry(
    500,
    'There is not enough memory',
    'Nothing was changed. Close other programs and do it again.',
  ),
  internal: entry(500, 'Something went wrong inside Strata', 'Try again; the log has the details.'),
} as const satisfies Record<string, CatalogueEntry>;

/** A code of the catalogue. */
export type ErrorCode = keyof typeof CATALOGUE;

/** What an AppError may carry besides its code and message. */
export interface AppErrorOptions {
  /** Overrides the catalogue's next step. */
  readonly hint?: string;
  /** Plain data for the face that shows it: line, column, holder, path, retryAfterSeconds ... */
  readonly details?: Readonly<Record<string, unknown>>;
  /** What led to it. */
  readonly cause?: unknown;
}

/** An error that was foreseen: it has a code, a sentence for people, and a next step. Anything else is a bug. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly hint: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? CATALOGUE[code].hint;
    this.details = options.details ?? {};
  }

  /** The HTTP status of this error's code. */
  get status(): number {
    return CATALOGUE[this.code].status;
  }
}
