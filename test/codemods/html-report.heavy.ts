import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Project } from './project.ts';

const chromium = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

/** Chromium, driven over a pipe: https://chromedevtools.github.io/devtools-protocol. */
function browser(folder: string): {
  send: (method: string, params?: object, sessionId?: string) => Promise<Record<string, unknown>>;
  requests: string[];
  close: () => Promise<void>;
} {
  const child = spawn(
    String(chromium),
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--remote-debugging-pipe',
      `--user-data-dir=${folder}`,
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const waiting = new Map<number, (message: { result?: Record<string, unknown>; error?: object }) => void>();
  const requests: string[] = [];
  let buffer = '';
  output.on('data', (chunk: Buffer) => {
    const parts = (buffer + chunk.toString()).split('\0');
    buffer = parts.pop() ?? '';
    for (const part of parts) {
      const message = JSON.parse(part) as {
        id?: number;
        method?: string;
        params?: { request?: { url: string } };
      };
      if (message.method === 'Network.requestWillBeSent') requests.push(message.params?.request?.url ?? '');
      if (message.id !== undefined) waiting.get(message.id)?.(message as object);
    }
  });
  let id = 0;
  return {
    requests,
    send: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        waiting.set(++id, ({ result, error }) => {
          if (error) reject(new Error(JSON.stringify(error)));
          else resolve(result ?? {});
        });
        input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      }),
    close: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await gone;
    },
  };
}

/** What a person sees of the page: sizes, colours and whether its links lead somewhere. */
const LOOK = `(() => {
  const luminance = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (element) => {
    let at = element;
    while (getComputedStyle(at).backgroundColor === 'rgba(0, 0, 0, 0)') at = at.parentElement;
    const [a, b] = [getComputedStyle(element).color, getComputedStyle(at).backgroundColor].map(luminance).sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  const texts = [...document.querySelectorAll('h1, h2, td, th, li, summary span, pre span, a')];
  return {
    background: getComputedStyle(document.body).backgroundColor,
    overflows: document.documentElement.scrollWidth > innerWidth,
    contrast: Math.min(...texts.map(contrast)),
    deadLinks: [...document.links].filter((a) => !document.getElementById(decodeURI(a.hash.slice(1))) && !document.getElementById(a.hash.slice(1))).length,
    sets: document.querySelectorAll('details').length,
    added: [...document.querySelectorAll('.added')].map((line) => line.textContent),
    resources: performance.getEntriesByType('resource').length,
  };
})()`;

interface Look {
  background: string;
  overflows: boolean;
  contrast: number;
  deadLinks: number;
  sets: number;
  added: string[];
  resources: number;
}

describe('--report html in a browser', { skip: chromium === undefined && 'needs Chromium' }, () => {
  it('can be read in light and dark, on a wide and a narrow screen, and fetches nothing', async () => {
    const long = `'${'a-long-argument-'.repeat(30)}'`;
    using project = new Project({
      'src/a.mjs': `import { spawn } from 'node:child_process';\nexport const a = spawn('<b>&', [${long}], { detached: true });\n`,
      'src/dir with space/b.mjs':
        "import { spawn } from 'node:child_process';\nspawn('d', [], { detached: true }).unref();\nimport('x');\n",
      'src/dir with space/c.mjs':
        "import { spawn } from 'node:child_process';\nexport const c = spawn('c', [], { detached: true });\n",
      'package.json': '{ "name": "app" }\n',
    });
    const { stdout } = await project.migrate('--report', 'html');
    const page = join(project.folder, 'report.html');
    writeFileSync(page, stdout);
    const { send, requests, close } = browser(join(project.folder, 'profile'));
    try {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = (await send('Target.attachToTarget', { targetId, flatten: true })) as {
        sessionId: string;
      };
      await send('Network.enable', {}, sessionId);
      await send('Page.enable', {}, sessionId);
      const url = pathToFileURL(page).href;
      const looks: Look[] = [];
      for (const scheme of ['light', 'dark']) {
        for (const width of [1200, 380]) {
          const features = [{ name: 'prefers-color-scheme', value: scheme }];
          await send('Emulation.setEmulatedMedia', { features }, sessionId);
          const metrics = { width, height: 800, deviceScaleFactor: 1, mobile: false };
          await send('Emulation.setDeviceMetricsOverride', metrics, sessionId);
          await send('Page.navigate', { url }, sessionId);
          // Resolves once the document is there.
          const expression = `new Promise((done) => { const look = () => document.readyState === 'complete' && location.protocol === 'file:' ? done(${LOOK}) : setTimeout(look, 20); look(); })`;
          const { result } = (await send(
            'Runtime.evaluate',
            { expression, awaitPromise: true, returnByValue: true },
            sessionId,
          )) as { result: { value: Look } };
          looks.push(result.value);
        }
      }
      for (const look of looks) {
        assert.equal(look.overflows, false, 'the page does not scroll sideways');
        assert.ok(look.contrast >= 4.5, `contrast ${look.contrast}`);
        assert.equal(look.deadLinks, 0);
        assert.equal(look.sets, 2);
        assert.equal(look.resources, 0);
        assert.ok(look.added.includes("+import { spawnOwned } from 'owned-spawn';"));
        assert.ok(look.added.some((line) => line.includes("spawnOwned('<b>&'")));
      }
      assert.notEqual(looks[0]?.background, looks[2]?.background, 'dark is not light');
      assert.deepEqual(new Set(requests), new Set([url]));
    } finally {
      await close();
    }
  });
});
