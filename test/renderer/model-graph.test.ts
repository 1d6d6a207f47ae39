// Owns the proof of the graph's pure parts: what a node shows, where nodes lie, moving by keys, looking.

import { describe, expect, it } from 'vitest';
import type { Attribute, Model, ObjectType } from '../../core/model.ts';
import { fitted, panned, revealing, zoomed } from '../../renderer/screens/model/camera.ts';
import {
  type GraphNode,
  graphOf,
  namePieces,
  nodeWords,
  typeWord,
} from '../../renderer/screens/model/graph-data.ts';
import { directionOf, nextNode } from '../../renderer/screens/model/graph-keys.ts';
import { type LaidNode, layOut } from '../../renderer/screens/model/layout.ts';
import { linkPath } from '../../renderer/screens/model/link-path.ts';

const attribute = (name: string, change: Partial<Attribute> = {}): Attribute => ({
  ...{ name, type: 'VARCHAR', role: 'attribute', unit: null, evidence: null },
  sources: [{ stream: 'pay', column: name, format: null }],
  ...change,
});

const type = (id: string, names: readonly string[], change: Partial<ObjectType> = {}) =>
  ({
    ...{ id, name: id, kind: 'dimension', key: names.slice(0, 1), streams: ['pay'] },
    ...{
      attributes: names.map((name) => attribute(name)),
      links: [],
      why: [],
      rows: 3,
      repeated: 0,
    },
    ...change,
  }) satisfies ObjectType;

const model = (...types: ObjectType[]): Model => ({ types, leftOut: [] });

const FACT = type('fact', ['pay_id', 'dept', 'salary'], {
  kind: 'fact',
  attributes: [
    attribute('pay_id'),
    attribute('dept', { role: 'reference' }),
    attribute('salary', { type: 'BIGINT' }),
  ],
  links: [{ to: 'dept', on: [{ from: 'dept', to: 'dept' }] }],
});
const DEPT = type('dept', ['dept', 'cost_center']);

const node = (id: string, change: Partial<LaidNode> = {}): LaidNode => ({
  ...{ id, isFact: false, width: 100, height: 40 },
  ...change,
});

describe('the graph of a model', () => {
  it('lists keys and attributes; what refers to another type is a link', () => {
    const { nodes, links } = graphOf(model(FACT, DEPT), null, { fact: 60 });
    expect(
      nodes.map(({ name, rows, mark, lines, more }) => ({ name, rows, mark, lines, more })),
    ).toEqual([
      {
        ...{ name: 'fact', rows: 60, mark: null, more: 0 },
        lines: [
          { name: 'pay_id', type: 'text', isKey: true, mark: null },
          { name: 'salary', type: 'bigint', isKey: false, mark: null },
        ],
      },
      {
        ...{ name: 'dept', rows: 3, mark: null, more: 0 },
        lines: [
          { name: 'dept', type: 'text', isKey: true, mark: null },
          { name: 'cost_center', type: 'text', isKey: false, mark: null },
        ],
      },
    ]);
    expect(links).toEqual([
      { id: 'fact dept dept', from: 'fact', to: 'dept', on: 'dept', isNew: false, shift: 0 },
    ]);
  });

  it('shows two references to one type as two lines, and lists what they are on', () => {
    const flight = type('flight', ['flight', 'from', 'to', 'gate'], {
      kind: 'fact',
      attributes: [
        attribute('flight'),
        attribute('from', { role: 'reference' }),
        attribute('to', { role: 'reference' }),
        attribute('gate', { role: 'reference' }),
      ],
      links: [
        { to: 'airport', on: [{ from: 'from', to: 'airport' }] },
        { to: 'airport', on: [{ from: 'to', to: 'airport' }] },
        { to: 'gate', on: [{ from: 'gate', to: 'gate' }] },
      ],
    });
    const data = graphOf(model(flight, type('airport', ['airport']), type('gate', ['gate'])), null);
    const [first] = data.nodes as [GraphNode];
    expect([first.lines.map(({ name }) => name), first.more]).toEqual([
      ['flight', 'from', 'to'],
      0,
    ]);
    expect(data.links.map(({ on, shift }) => [on, shift])).toEqual([
      ['from', -4],
      ['to', 4],
      ['gate', 0],
    ]);
    expect(data.nodes.map((one) => nodeWords(one, data, (id) => id))).toEqual([
      'key flight, refers to airport by from and by to, gate',
      'key airport, referred to by flight by from and by to',
      'key gate, referred to by flight',
    ]);
  });

  it('keeps the lines of many references within the head', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const many = type('many', ['id'], {
      links: names.map((from) => ({ to: 'one', on: [{ from, to: 'one' }] })),
    });
    const shifts = graphOf(model(many, type('one', ['one'])), null).links.map(({ shift }) => shift);
    expect(shifts).toEqual([-12, -8, -4, 0, 4, 8, 12]);
  });

  it('marks what is new and what differs from the version before', () => {
    const before = model(type('dept', ['dept']));
    const retyped = type('dept', ['dept', 'cost_center'], {
      attributes: [attribute('dept', { type: 'UUID' }), attribute('cost_center')],
    });
    const { nodes, links } = graphOf(model(FACT, retyped), before);
    expect(nodes.map(({ id, mark, lines }) => [id, mark, lines.map((line) => line.mark)])).toEqual([
      ['fact', 'new', [null, null]],
      ['dept', 'changed', ['changed', 'new']],
    ]);
    expect(links.map(({ isNew }) => isNew)).toEqual([true]);
    expect(graphOf(before, before).nodes.map(({ mark }) => mark)).toEqual([null]);
  });

  it('lists five of many attributes, what is new among them, and says how many more', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const before = model(type('wide', names.slice(0, 7)));
    const [wide] = graphOf(model(type('wide', names)), before).nodes as [GraphNode];
    expect(wide.lines.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'h']);
    expect(wide.more).toBe(3);
    const [six] = graphOf(model(type('six', names.slice(0, 6))), null).nodes as [GraphNode];
    expect([six.lines.length, six.more]).toEqual([6, 0]);
  });

  it('says in words what it draws', () => {
    const data = graphOf(model(FACT, DEPT), model(DEPT));
    expect(data.nodes.map((one) => nodeWords(one, data, (id) => id.toUpperCase()))).toEqual([
      'new, key pay_id, refers to DEPT',
      'key dept, referred to by FACT',
    ]);
  });

  it('breaks names where their words part, and calls types by their names', () => {
    expect(['ShipmentReason', 'pay_grade', 'Depot', 'ABTest'].map(namePieces)).toEqual([
      ['Shipment', 'Reason'],
      ['pay_', 'grade'],
      ['Depot'],
      ['ABTest'],
    ]);
    expect(['VARCHAR', 'DECIMAL(18,2)', 'TIMESTAMP WITH TIME ZONE'].map(typeWord)).toEqual([
      'text',
      'decimal(18,2)',
      'timestamptz',
    ]);
  });
});

describe('a layout', () => {
  const star = (fact: string, dims: readonly string[]) => ({
    nodes: [node(fact, { isFact: true, height: 80 }), ...dims.map((id) => node(id))],
    links: dims.map((to) => ({ from: fact, to })),
  });

  it('puts the fact between its dimensions, as many on either side', () => {
    const { nodes, links } = star('fact', ['a', 'b', 'c', 'd']);
    const { at } = layOut({ nodes, links, aspect: 1.3 });
    const sides = ['a', 'b', 'c', 'd'].map((id) => Math.sign((at[id]?.x ?? 0) - (at.fact?.x ?? 0)));
    expect(sides.sort()).toEqual([-1, -1, 1, 1]);
  });

  it('covers no node with another, of 60 types in stars that share dimensions and in stars apart', () => {
    const stars = Array.from({ length: 10 }, (_, at) =>
      star(`fact${at}`, [...Array.from({ length: 5 }, (__, dim) => `dim${at}-${dim}`)]),
    );
    const nodes = stars.flatMap((one) => one.nodes);
    const links = [
      ...stars.flatMap((one) => one.links),
      ...[1, 2, 3, 4].map((at) => ({ from: `fact${at}`, to: 'dim0-0' })),
      { from: 'dim6-0', to: 'dim6-1' },
      { from: 'dim7-0', to: 'dim7-0' },
    ];
    const { at, width, height } = layOut({ nodes, links, aspect: 1.6 });
    expect(Object.keys(at)).toHaveLength(60);
    const boxes = nodes.map((one) => ({ ...one, ...(at[one.id] as { x: number; y: number }) }));
    const covering = boxes.flatMap((one, index) =>
      boxes
        .slice(index + 1)
        .filter(
          (other) =>
            one.x < other.x + other.width &&
            other.x < one.x + one.width &&
            one.y < other.y + other.height &&
            other.y < one.y + one.height,
        )
        .map((other) => [one.id, other.id]),
    );
    expect(covering).toEqual([]);
    expect(boxes.every(({ x, y }) => x >= 0 && y >= 0)).toBe(true);
    expect(Math.max(...boxes.map((one) => one.x + one.width))).toBe(Math.round(width));
    expect(Math.max(...boxes.map((one) => one.y + one.height))).toBe(Math.round(height));
    expect(layOut({ nodes, links, aspect: 1.6 }).at).toEqual(at);
  });

  it('of nothing is nothing', () => {
    expect(layOut({ nodes: [], links: [], aspect: 1 })).toEqual({ at: {}, width: 0, height: 0 });
  });
});

describe('keys in the graph', () => {
  const nodes = ['left', 'middle', 'right', 'below'].map((id) => node(id));
  const at = {
    left: { x: 0, y: 0 },
    middle: { x: 200, y: 10 },
    right: { x: 400, y: 0 },
    below: { x: 200, y: 200 },
  };
  const layout = { at, width: 500, height: 240 };

  it('go to the nearest node ahead, and nowhere where there is none', () => {
    const go = (from: string, key: string) =>
      nextNode(nodes, layout, from, directionOf(key) as 'left');
    expect(go('left', 'ArrowRight')).toBe('middle');
    expect(go('middle', 'ArrowRight')).toBe('right');
    expect(go('middle', 'ArrowDown')).toBe('below');
    expect(go('below', 'ArrowUp')).toBe('middle');
    expect(go('right', 'ArrowRight')).toBe(null);
    expect(go('nothing', 'ArrowRight')).toBe('left');
    expect(directionOf('x')).toBe(undefined);
  });
});

describe('a camera', () => {
  const view = { width: 800, height: 600 };

  it('fits a graph, and never draws it larger than life', () => {
    expect(fitted({ width: 100, height: 100 }, view).scale).toBe(1);
    const { scale, x, y } = fitted({ width: 2_000, height: 500 }, view);
    expect(scale).toBeCloseTo(744 / 2_000);
    expect([x, x + 2_000 * scale <= 800, y >= 46]).toEqual([28, true, true]);
  });

  it('zooms about a point, within bounds, and moves', () => {
    const camera = { scale: 1, x: 10, y: 20 };
    const near = zoomed(camera, 2, { x: 110, y: 120 });
    expect(near).toEqual({ scale: 2, x: -90, y: -80 });
    expect(zoomed(near, 100, { x: 0, y: 0 }).scale).toBe(2);
    expect(zoomed(near, 0.001, { x: 0, y: 0 }).scale).toBe(0.15);
    expect(panned(camera, { x: -5, y: 5 })).toEqual({ scale: 1, x: 5, y: 25 });
  });

  it('moves as little as shows a node', () => {
    const camera = { scale: 1, x: 0, y: 0 };
    const box = { width: 100, height: 40 };
    expect(revealing(camera, { ...box, x: 300, y: 300 }, view)).toBe(camera);
    expect(revealing(camera, { ...box, x: 790, y: -50 }, view)).toEqual({
      scale: 1,
      x: -118,
      y: 78,
    });
  });
});

describe('a link', () => {
  const box = { isFact: false, width: 100, height: 40 };
  const from = { ...box, id: 'from', x: 200, y: 0 };

  it('ends beside the head of what it refers to, at the near side', () => {
    expect(linkPath(from, { ...box, id: 'to', x: 400, y: 50 }).dot).toEqual({ x: 396, y: 67 });
    expect(linkPath(from, { ...box, id: 'to', x: 0, y: 50 }).dot).toEqual({ x: 104, y: 67 });
  });

  it('lies apart from another one between the same two', () => {
    expect(linkPath(from, { ...box, id: 'to', x: 400, y: 50 }, 4).dot).toEqual({ x: 396, y: 71 });
    expect(linkPath(from, { ...box, id: 'to', x: 220, y: 100 }, -4).dot).toEqual({ x: 266, y: 96 });
  });

  it('goes up or down where one stands above the other', () => {
    expect(linkPath(from, { ...box, id: 'to', x: 220, y: 100 }).dot).toEqual({ x: 270, y: 96 });
    expect(linkPath(from, { ...box, id: 'to', x: 180, y: -90 }).dot).toEqual({ x: 230, y: -46 });
  });
});
