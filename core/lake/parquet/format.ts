// Owns the numbers of the Apache Parquet format that Strata writes or checks (parquet.thrift, README "File format").
// Never holds behaviour.

/** "PAR1", the first and the last four bytes of a file, as a little-endian integer. */
export const MAGIC = 0x31524150;
/** "PARE", the last four bytes of a file whose footer is encrypted, as a little-endian integer. */
export const MAGIC_ENCRYPTED = 0x45524150;

/** Physical types (parquet.thrift: Type). */
export const TYPE_INT64 = 2;
export const TYPE_BYTE_ARRAY = 6;

/** A field that may be NULL (parquet.thrift: FieldRepetitionType). */
export const OPTIONAL = 1;
/** A BYTE_ARRAY of UTF-8 text (parquet.thrift: ConvertedType). */
export const CONVERTED_UTF8 = 0;

/** Encodings (Encodings.md). */
export const PLAIN = 0;
export const RLE = 3;
export const DELTA_BINARY_PACKED = 5;
export const RLE_DICTIONARY = 8;

/** Compression of a column chunk (parquet.thrift: CompressionCodec). */
export const CODEC_UNCOMPRESSED = 0;
export const CODEC_ZSTD = 6;

/** Kinds of page (parquet.thrift: PageType). */
export const DATA_PAGE = 0;
export const DICTIONARY_PAGE = 2;

/** Wire types of the Thrift compact protocol (thrift-compact-protocol.md, "Struct encoding"). */
export const WIRE_STOP = 0;
export const WIRE_TRUE = 1;
export const WIRE_FALSE = 2;
export const WIRE_I8 = 3;
export const WIRE_I16 = 4;
export const WIRE_I32 = 5;
export const WIRE_I64 = 6;
export const WIRE_DOUBLE = 7;
export const WIRE_BINARY = 8;
export const WIRE_LIST = 9;
export const WIRE_SET = 10;
export const WIRE_MAP = 11;
export const WIRE_STRUCT = 12;
export const WIRE_UUID = 13;
