// Owns how wide a grid's columns are and on which side their values stand: measured once from the first rows,
// then as the person drags. Never measures again while values move; other rows are measured again.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { looksLikeNumber, piecesOf } from './invisible.ts';

/** A column as the grid's owner gives it. */
export interface GridColumn {
  readonly name: string;
  /** Stands after the name. */
  readonly type?: string;
  /** Measured from the first rows where it is left out: the right for what reads as numbers. */
  readonly align?: 'left' | 'right';
  readonly width?: number;
}

/** A column as it is laid out. */
export interface LaidColumn {
  readonly name: string;
  readonly type: string | undefined;
  readonly isRight: boolean;
  readonly left: number;
  readonly width: number;
}

const LEAST = 64;
const MOST = 280;
const PADDING = 22;
/** Text width of a column that has no value in the first rows. */
const UNKNOWN = 90;
const SAMPLE = 60;

interface Measured {
  readonly width: number;
  readonly isRight: boolean;
}

type GetRow = (index: number) => readonly (string | null)[] | undefined;

/** Lays the columns out from `start`; `first` is the first row that can be measured. */
export const useGridColumns = (
  columns: readonly GridColumn[],
  getRow: GetRow,
  first: number,
  start: number,
  room: number,
  startKey?: string,
) => {
  const [measured, setMeasured] = useState<ReadonlyMap<string, Measured>>(new Map());
  const [dragged, setDragged] = useState<ReadonlyMap<string, number>>(new Map());
  const startedWith = useRef(startKey);
  useEffect(() => {
    if (startedWith.current !== startKey) {
      // Other rows: measured again, from their first.
      startedWith.current = startKey;
      if (measured.size > 0) setMeasured(new Map());
      return;
    }
    if (columns.every(({ name }) => measured.has(name))) return;
    const rows = [];
    for (let at = 0; at < SAMPLE; at += 1) {
      const row = getRow(first + at);
      if (row) rows.push(row);
    }
    if (rows.length === 0) return;
    const next = new Map(measured);
    for (const [at, column] of columns.entries()) {
      if (!next.has(column.name)) next.set(column.name, measure(column, at, rows));
    }
    setMeasured(next);
  }, [columns, getRow, first, measured, startKey]);

  const laid = useMemo((): readonly LaidColumn[] => {
    let left = start;
    return columns.map((column, at) => {
      const found = measured.get(column.name);
      const isRight = column.align ? column.align === 'right' : (found?.isRight ?? false);
      let width = dragged.get(column.name) ?? column.width ?? found?.width ?? UNKNOWN + PADDING;
      const isLast = at === columns.length - 1;
      if (isLast && !isRight && !dragged.has(column.name)) width = Math.max(width, room - left);
      const one = { name: column.name, type: column.type, isRight, left, width };
      left += width;
      return one;
    });
  }, [columns, measured, dragged, start, room]);

  const resize = useCallback((name: string, width: number | null): void => {
    setDragged((before) => {
      const next = new Map(before);
      if (width === null) next.delete(name);
      else next.set(name, Math.max(40, Math.round(width)));
      return next;
    });
  }, []);

  return { laid, resize };
};

const measure = (
  { name, type }: GridColumn,
  at: number,
  rows: readonly (readonly (string | null)[])[],
): Measured => {
  const head = textWidth(`${name}${type ? `  ${type}` : ''}`, '12px', '--s-font') + 46;
  let widest = 0;
  let values = 0;
  let numbers = 0;
  for (const row of rows) {
    const value = row[at];
    if (value === null || value === undefined) continue;
    values += 1;
    if (looksLikeNumber(value)) numbers += 1;
    const seen = piecesOf(value.slice(0, 80)).map((piece) => piece.mark ?? piece.text);
    widest = Math.max(widest, textWidth(seen.join(''), '12px', '--s-mono'));
  }
  if (values === 0) widest = UNKNOWN;
  const width = Math.min(MOST, Math.max(LEAST, Math.ceil(Math.max(head, widest + PADDING))));
  return { width, isRight: values > 0 && numbers === values };
};

let canvas: CanvasRenderingContext2D | null | undefined;

const textWidth = (text: string, size: string, family: string): number => {
  canvas ??= document.createElement('canvas').getContext('2d');
  if (!canvas) return text.length * 7.25;
  canvas.font = `${size} ${getComputedStyle(document.documentElement).getPropertyValue(family)}`;
  return canvas.measureText(text).width;
};
