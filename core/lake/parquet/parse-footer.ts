// Owns what a footer says, and whether it can be true of its file (parquet.thrift: FileMetaData).
// Never reads the file, and never trusts a number in the footer.

import { NotParquetError } from './not-parquet-error.ts';
import { ThriftReader } from './thrift-reader.ts';

/** What the footer of a whole Parquet file says. */
export interface Footer {
  readonly rows: number;
  /** The key-value metadata of the file; of a key that stands twice, the last. */
  readonly metadata: ReadonlyMap<string, string>;
  /** The names of the leaf columns, in order. */
  readonly columns: readonly string[];
  /** Size of the file. */
  readonly sizeBytes: number;
}

/** More than any file has; what a hostile footer may make us hold. */
const MOST_COLUMNS = 1_000_000;
const MOST_METADATA = 100_000;

/**
 * Reads the footer of a file whose pages end at `footerAt` and that has `sizeBytes` in all.
 * @throws NotParquetError `footer`, `inconsistent` or `beyond_file`.
 */
export function parseFooter(bytes: Buffer, footerAt: number, sizeBytes: number): Footer {
  const thrift = new ThriftReader(bytes);
  const schema: SchemaElement[] = [];
  const metadata = new Map<string, string>();
  let rows = -1;
  let groups: GroupTotals | undefined;
  thrift.struct((id, wire) => {
    if (id === 2) {
      thrift.structList(wire, () => {
        if (schema.push(readSchemaElement(thrift)) > MOST_COLUMNS) throw tooMany('columns');
      });
    } else if (id === 3) {
      rows = thrift.integer(wire);
    } else if (id === 4) {
      groups = readRowGroups(thrift, wire, footerAt);
    } else if (id === 5) {
      thrift.structList(wire, () => {
        readKeyValue(thrift, metadata);
        if (metadata.size > MOST_METADATA) throw tooMany('entries of metadata');
      });
    } else {
      thrift.skip(wire);
    }
  });
  if (rows < 0 || groups === undefined) {
    throw new NotParquetError('footer', 'The footer lacks its row count or its row groups.');
  }
  const columns = leafNames(schema);
  if (groups.count > 0 && groups.chunks !== columns.length) {
    throw new NotParquetError(
      'inconsistent',
      `The footer has ${columns.length} columns, its row groups ${groups.chunks}.`,
    );
  }
  if (groups.rows !== rows) {
    throw new NotParquetError(
      'inconsistent',
      `The footer counts ${rows} rows, its row groups ${groups.rows}.`,
    );
  }
  return { rows, metadata, columns, sizeBytes };
}

interface SchemaElement {
  readonly name: string;
  readonly leaf: boolean;
  readonly children: number;
}

function readSchemaElement(thrift: ThriftReader): SchemaElement {
  let name: string | undefined;
  let leaf = false;
  let children = 0;
  thrift.struct((id, wire) => {
    if (id === 4) {
      name = thrift.string(wire);
    } else if (id === 5) {
      children = thrift.integer(wire);
    } else {
      if (id === 1) leaf = true;
      thrift.skip(wire);
    }
  });
  if (name === undefined || children < 0 || (leaf && children > 0)) {
    throw new NotParquetError('footer', 'The footer has a column that cannot be.');
  }
  return { name, leaf, children };
}

/** The schema is a tree, listed depth first; its first element is the root, which is no column. */
function leafNames(schema: readonly SchemaElement[]): string[] {
  const names: string[] = [];
  let expected = 1;
  for (const element of schema) {
    if (expected === 0) throw notATree();
    expected += element.children - 1;
    if (element.leaf) names.push(element.name);
  }
  if (expected !== 0 || schema[0]?.leaf !== false) throw notATree();
  return names;
}

interface GroupTotals {
  readonly count: number;
  readonly rows: number;
  /** Column chunks, the same in each. */
  readonly chunks: number;
}

function readRowGroups(thrift: ThriftReader, wire: number, footerAt: number): GroupTotals {
  let count = 0;
  let rows = 0;
  let chunks = 0;
  thrift.structList(wire, () => {
    const group = readRowGroup(thrift, footerAt);
    if (count === 0) chunks = group.chunks;
    if (group.chunks !== chunks) {
      throw new NotParquetError('inconsistent', 'Its row groups have not the same columns.');
    }
    rows += group.rows;
    count++;
  });
  return { count, rows, chunks };
}

function readRowGroup(thrift: ThriftReader, footerAt: number): { rows: number; chunks: number } {
  let rows = -1;
  let chunks = 0;
  thrift.struct((id, wire) => {
    if (id === 3) {
      rows = thrift.integer(wire);
    } else if (id === 1) {
      thrift.structList(wire, () => {
        readColumnChunk(thrift, footerAt);
        chunks++;
      });
    } else {
      thrift.skip(wire);
    }
  });
  if (rows < 0) throw new NotParquetError('footer', 'A row group lacks its row count.');
  return { rows, chunks };
}

/** Reads a column chunk and proves that its pages lie between the magic and the footer. */
function readColumnChunk(thrift: ThriftReader, footerAt: number): void {
  let dataAt = -1;
  let dictionaryAt = 0;
  let bytes = -1;
  thrift.struct((id, wire) => {
    if (id === 1) throw new NotParquetError('beyond_file', 'A column lies in another file.');
    if (id === 3) {
      thrift.structField(wire, (inner, innerWire) => {
        if (inner === 7) bytes = thrift.integer(innerWire);
        else if (inner === 9) dataAt = thrift.integer(innerWire);
        else if (inner === 11) dictionaryAt = thrift.integer(innerWire);
        else thrift.skip(innerWire);
      });
    } else {
      thrift.skip(wire);
    }
  });
  if (bytes < 0 || dataAt < 0) {
    throw new NotParquetError('footer', 'A column chunk lacks its place.');
  }
  // Some writers say 0 where there is no dictionary; no page can lie there.
  const start = dictionaryAt > 0 ? Math.min(dictionaryAt, dataAt) : dataAt;
  if (dataAt > footerAt || start + bytes > footerAt || (bytes > 0 && start < 4)) {
    throw new NotParquetError(
      'beyond_file',
      `A column chunk lies at ${start} to ${start + bytes}, the pages end at ${footerAt}.`,
    );
  }
}

function readKeyValue(thrift: ThriftReader, metadata: Map<string, string>): void {
  let key: string | undefined;
  let value = '';
  thrift.struct((id, wire) => {
    if (id === 1) key = thrift.string(wire);
    else if (id === 2) value = thrift.string(wire);
    else thrift.skip(wire);
  });
  if (key === undefined) throw new NotParquetError('footer', 'An entry of the footer has no key.');
  metadata.set(key, value);
}

function tooMany(what: string): NotParquetError {
  return new NotParquetError('footer', `The footer has too many ${what}.`);
}

function notATree(): NotParquetError {
  return new NotParquetError('inconsistent', 'The columns of the footer do not make a tree.');
}
