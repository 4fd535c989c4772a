import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noCut } from '../../../rules/graph/module-reach.ts';
import { reach, type Cut, type Graph, type Reached } from '../../../rules/graph/reach.ts';
import type { Where } from '../../../rules/read/context.ts';

interface Call {
  from: string;
  to: string;
  /** In a loop. */
  repeated?: boolean;
  /** The name that the call is written with. */
  as?: string;
}

/** A graph of functions by name; `asked` collects the calls that are resolved. */
function graph(
  functions: Record<string, Where>,
  sites: { in: string; light?: boolean; repeated?: boolean }[],
  calls: Call[],
  more: Partial<Graph> = {},
  asked: number[] = [],
): Graph {
  const names = Object.keys(functions);
  return {
    units: names.map((name) => ({ where: functions[name] ?? 'called', names: [name] })),
    sites: sites.map(({ in: name, light = false, repeated = false }) => ({
      unit: names.indexOf(name),
      isLight: light,
      isRepeated: repeated,
    })),
    calls: calls.map(({ from, to, as = to, repeated = false }) => ({
      unit: names.indexOf(from),
      name: as,
      isRepeated: repeated,
    })),
    aliases: [],
    targetsOf(call) {
      asked.push(call);
      return [names.indexOf(calls[call]?.to ?? '')];
    },
    ...more,
  };
}

const ways = (reached: Reached[]): string[] =>
  reached.map(
    ({ calls, site, more }) => `${[...calls, `site ${String(site)}`].join(' > ')}, ${String(more)} more`,
  );

describe('what blocks the loop', () => {
  it('is told for direct calls, and of functions off the loop for none', () => {
    const found = reach(
      graph(
        { a: 'loop', b: 'boot', c: 'off', d: 'called' },
        'abcd'.split('').map((name) => ({ in: name })),
        [],
      ),
    );
    assert.deepEqual(ways(found), ['site 0, 0 more']);
  });

  it('goes the shortest way', () => {
    const found = reach(
      graph(
        { root: 'loop', far: 'called', mid: 'called', end: 'called' },
        [{ in: 'end' }],
        [
          { from: 'root', to: 'far' },
          { from: 'far', to: 'mid' },
          { from: 'mid', to: 'end' },
          { from: 'far', to: 'end' },
        ],
      ),
    );
    assert.deepEqual(ways(found), ['0 > 3 > site 0, 0 more']);
  });

  it('ends in circles', () => {
    const found = reach(
      graph(
        { root: 'loop', a: 'called', b: 'called' },
        [{ in: 'b' }],
        [
          { from: 'root', to: 'a' },
          { from: 'a', to: 'b' },
          { from: 'b', to: 'a' },
          { from: 'b', to: 'b' },
        ],
      ),
    );
    assert.deepEqual(ways(found), ['0 > 1 > site 0, 0 more']);
  });

  it('stops at functions that report for themselves', () => {
    const found = reach(
      graph(
        { root: 'loop', inner: 'loop', helper: 'called' },
        [{ in: 'helper' }],
        [
          { from: 'root', to: 'inner' },
          { from: 'inner', to: 'helper' },
        ],
      ),
    );
    assert.deepEqual(ways(found), ['1 > site 0, 0 more']);
  });

  it('reports each call of code on the loop that leads there', () => {
    const found = reach(
      graph(
        { one: 'loop', two: 'loop', helper: 'called' },
        [{ in: 'helper' }],
        [
          { from: 'one', to: 'helper' },
          { from: 'two', to: 'helper' },
          { from: 'two', to: 'helper' },
        ],
      ),
    );
    assert.deepEqual(ways(found), ['0 > site 0, 0 more', '1 > site 0, 0 more', '2 > site 0, 0 more']);
  });

  it('names once what is nobody’s nearest, and counts what else a call leads to', () => {
    const found = reach(
      graph(
        { one: 'loop', two: 'loop', helper: 'called', deep: 'called' },
        [{ in: 'helper' }, { in: 'deep' }],
        [
          { from: 'one', to: 'helper' },
          { from: 'two', to: 'helper' },
          { from: 'helper', to: 'deep' },
        ],
      ),
    );
    assert.deepEqual(ways(found), ['0 > site 0, 0 more', '1 > site 0, 1 more', '0 > 2 > site 1, 0 more']);
  });

  it('counts what is light only where it is done many times', () => {
    const functions = { root: 'loop', probe: 'called', direct: 'loop' } as const;
    const sites = [
      { in: 'probe', light: true },
      { in: 'direct', light: true },
      { in: 'direct', light: true, repeated: true },
    ];
    const found = reach(
      graph(functions, sites, [
        { from: 'root', to: 'probe' },
        { from: 'root', to: 'probe', repeated: true },
      ]),
    );
    assert.deepEqual(ways(found), ['site 2, 0 more', '1 > site 0, 0 more']);
  });

  it('goes through nothing that is excused', () => {
    const functions = { root: 'loop', a: 'called', b: 'called' } as const;
    const calls = [
      { from: 'root', to: 'a' },
      { from: 'a', to: 'b' },
    ];
    const excused: [kind: keyof Cut, at: number][] = [
      ['units', 1],
      ['units', 2],
      ['sites', 0],
      ['calls', 0],
      ['calls', 1],
    ];
    for (const [kind, at] of excused) {
      const cut = noCut();
      cut[kind].set(at, { by: 'once' });
      assert.deepEqual(ways(reach(graph(functions, [{ in: 'b' }], calls, { cut }))), []);
    }
  });

  it('resolves only calls by the names of functions that block, other names for them followed', () => {
    const asked: number[] = [];
    const found = reach(
      graph(
        { root: 'loop', load: 'called', other: 'called' },
        [{ in: 'load' }],
        [
          { from: 'root', to: 'other' },
          { from: 'root', to: 'load', as: 'read' },
          { from: 'root', to: 'load', as: 'get' },
        ],
        {
          aliases: [
            { name: 'fetchAll', of: 'load' },
            { name: 'read', of: 'fetchAll' },
          ],
        },
        asked,
      ),
    );
    assert.deepEqual(ways(found), ['1 > site 0, 0 more']);
    assert.deepEqual(asked, [1]);
  });
});
