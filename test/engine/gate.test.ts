// Owns the proof that readers pass together, a writer passes alone, and neither waits for the other for ever.

import { describe, expect, it } from 'vitest';
import { openGate } from '../../core/lake/gate.ts';

/** Work that runs until it is told to end, and what happened in which order. */
const stage = () => {
  const events: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => async (): Promise<string> => {
    events.push(`${name} in`);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    events.push(`${name} out`);
    return name;
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await settle();
  };
  return { events, work, end };
};

/** Lets everything that can go on without us go on. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
};

const FOREVER = 600_000;

describe('readers', () => {
  it('are inside together', async () => {
    const { events, work, end } = stage();
    const gate = openGate();
    const both = Promise.all([gate.read(work('a')), gate.read(work('b'))]);
    await settle();
    expect(events).toEqual(['a in', 'b in']);
    await end('b');
    await end('a');
    expect(await both).toEqual(['a', 'b']);
  });

  it('that fail leave the gate as they found it', async () => {
    const gate = openGate();
    await expect(gate.read(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await gate.write(async () => 'written', FOREVER)).toBe('written');
  });
});

describe('a writer', () => {
  it('waits for readers to end, holds new ones back, and lets them in after it', async () => {
    const { events, work, end } = stage();
    const gate = openGate();
    const first = gate.read(work('a'));
    const second = gate.read(work('b'));
    await settle();
    const writer = gate.write(work('w'), FOREVER);
    const late = gate.read(work('late'));
    await settle();
    await end('a');
    expect(events).toEqual(['a in', 'b in', 'a out']);
    await end('b');
    expect(events).toEqual(['a in', 'b in', 'a out', 'b out', 'w in']);
    await end('w');
    expect(events.slice(5)).toEqual(['w out', 'late in']);
    await end('late');
    expect(await Promise.all([first, second, writer, late])).toEqual(['a', 'b', 'w', 'late']);
  });

  it('is alone among writers too', async () => {
    const { events, work, end } = stage();
    const gate = openGate();
    const all = Promise.all([gate.write(work('v'), FOREVER), gate.write(work('w'), FOREVER)]);
    await settle();
    expect(events).toEqual(['v in']);
    await end('v');
    expect(events).toEqual(['v in', 'v out', 'w in']);
    await end('w');
    expect(await all).toEqual(['v', 'w']);
  });

  it('that has waited long enough steps back, and the readers it held back go in', async () => {
    const { events, work, end } = stage();
    const gate = openGate();
    const long = gate.read(work('long'));
    await settle();
    const writer = gate.write(work('w'), 1);
    const late = gate.read(work('late'));
    expect(await writer).toBe(undefined);
    await settle();
    expect(events).toEqual(['long in', 'late in']);
    await end('late');
    await end('long');
    await Promise.all([long, late]);
    expect(await gate.write(async () => 'again', 1)).toBe('again');
  });

  it('that steps back leaves another one that waits its turn', async () => {
    const { events, work, end } = stage();
    const gate = openGate();
    const reader = gate.read(work('r'));
    await settle();
    const hasty = gate.write(work('hasty'), 1);
    const calm = gate.write(work('calm'), FOREVER);
    const late = gate.read(work('late'));
    expect(await hasty).toBe(undefined);
    await settle();
    expect(events).toEqual(['r in']);
    await end('r');
    expect(events).toEqual(['r in', 'r out', 'calm in']);
    await end('calm');
    await end('late');
    expect(await Promise.all([reader, calm, late])).toEqual(['r', 'calm', 'late']);
  });

  it('that fails lets everybody in', async () => {
    const gate = openGate();
    const writer = gate.write(() => Promise.reject(new Error('no')), FOREVER);
    const reader = gate.read(async () => 'read');
    await expect(writer).rejects.toThrow('no');
    expect(await reader).toBe('read');
    expect(await gate.write(async () => 'written', FOREVER)).toBe('written');
  });

  it('gets in between readers that never stop coming', async () => {
    const gate = openGate();
    let isWritten = false;
    const read = async (): Promise<void> => {
      while (!isWritten) await gate.read(() => new Promise(setImmediate));
    };
    const readers = [read(), read(), read()];
    await settle();
    await gate.write(async () => {
      isWritten = true;
    }, FOREVER);
    await Promise.all(readers);
    expect(isWritten).toBe(true);
  });

  it('never meets a reader, whoever comes and goes', async () => {
    const gate = openGate();
    let readers = 0;
    let writers = 0;
    const met: string[] = [];
    const look = (): void => {
      if (writers > 1 || (writers > 0 && readers > 0)) met.push(`${readers} and ${writers}`);
    };
    const turns = (count: number) => async (): Promise<void> => {
      for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
    };
    const read = async (): Promise<void> => {
      readers += 1;
      look();
      await turns(1 + (readers % 3))();
      readers -= 1;
    };
    const write = async (): Promise<true> => {
      writers += 1;
      look();
      await turns(2)();
      writers -= 1;
      return true;
    };
    const all: Promise<unknown>[] = [];
    for (let n = 0; n < 300; n += 1) {
      all.push(n % 5 === 0 ? gate.write(write, n % 2 === 0 ? FOREVER : 0) : gate.read(read));
      if (n % 7 === 0) await new Promise(setImmediate);
    }
    await Promise.all(all);
    expect({ met, readers, writers }).toEqual({ met: [], readers: 0, writers: 0 });
  });
});
