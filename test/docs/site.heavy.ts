// Builds the site from its own lockfile and looks at it in Chromium. SITE_SHOTS=FOLDER keeps what is seen.
import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { install } from '../helpers/on-demand.ts';

const site = resolve(import.meta.dirname, '../../site');
const CHROMIUM = '/usr/bin/chromium';

/** What of playwright-core is used here; it is installed on demand. */
interface Page {
  goto: (url: string, options: object) => Promise<unknown>;
  evaluate: <T>(expression: string) => Promise<T>;
  fill: (selector: string, text: string) => Promise<void>;
  click: (selector: string) => Promise<void>;
  screenshot: (options: object) => Promise<unknown>;
  waitForSelector: (selector: string, options?: object) => Promise<unknown>;
  on: (
    event: 'pageerror' | 'console',
    listener: (what: { message?: string; type?: () => string; text?: () => string }) => void,
  ) => void;
  close: () => Promise<void>;
}
interface Browser {
  newPage: (options: object) => Promise<Page>;
  close: () => Promise<void>;
}

/** The pages of docs/, as the site names them. */
const DOCS = readdirSync(join(site, '../docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.slice(0, -'.md'.length))
  .sort();
const OWN = ['', 'playground', 'changelog'];
const KINDS = [...OWN, 'guides/owning-child-processes', 'rules/no-blocking-call', 'check', 'oxlint'];
const VIEWS = [
  { name: 'light', pages: KINDS, colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { name: 'dark', pages: KINDS, colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  // Where a table or a long word is too wide.
  { name: 'phone', pages: [...OWN, ...DOCS], colorScheme: 'light', viewport: { width: 375, height: 740 } },
];

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

describe('the site', { skip: !existsSync(CHROMIUM) && 'needs Chromium' }, () => {
  let server: ChildProcess;
  let browser: Browser;
  let base: string;

  before(async () => {
    if (!existsSync(join(site, 'node_modules'))) execFileSync('npm', ['ci'], { cwd: site, stdio: 'pipe' });
    // Dead links between pages end the build.
    execFileSync('npm', ['run', 'build'], { cwd: site, stdio: 'pipe' });
    const port = await freePort();
    base = `http://127.0.0.1:${port}/`;
    server = spawn(
      process.execPath,
      ['node_modules/vitepress/bin/vitepress.js', 'preview', '--port', String(port), '--host', '127.0.0.1'],
      { cwd: site, stdio: 'ignore' },
    );
    for (const deadline = Date.now() + 120_000; ; await new Promise((later) => setTimeout(later, 200))) {
      if (
        await fetch(base).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        break;
      assert.ok(Date.now() < deadline, 'the site is not served');
    }
    const folder = install('browser', ['playwright-core@1.65.1']);
    const { chromium } = createRequire(join(folder, 'package.json'))('playwright-core') as {
      chromium: { launch: (options: object) => Promise<Browser> };
    };
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });

  after(async () => {
    await browser.close();
    server.kill();
  });

  /** Opens a page; what goes wrong on it ends up in `faults`. */
  async function open(path: string, { colorScheme, viewport }: (typeof VIEWS)[number]) {
    const page = await browser.newPage({ colorScheme, viewport });
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message ?? ''));
    page.on('console', (entry) => {
      if (entry.type?.() === 'error') faults.push(entry.text?.() ?? '');
    });
    await page.goto(base + path, { waitUntil: 'networkidle', timeout: 60_000 });
    return { page, faults };
  }

  for (const view of VIEWS) {
    it(`shows pages without an error and without scrolling sideways: ${view.name}`, async () => {
      for (const path of view.pages) {
        const { page, faults } = await open(path, view);
        if (process.env.SITE_SHOTS)
          await page.screenshot({
            path: join(process.env.SITE_SHOTS, `${view.name}-${path.replaceAll('/', '-') || 'home'}.png`),
          });
        assert.deepEqual(faults, [], path);
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        assert.ok(width <= view.viewport.width, `${path} is ${width} px wide`);
        await page.close();
      }
    });
  }

  const [LIGHT] = VIEWS as [(typeof VIEWS)[number]];

  it('leads to every page of docs/ from its sidebar', async () => {
    const { page } = await open('check', LIGHT);
    const linked = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.VPSidebar a')].map((link) => link.getAttribute('href'))",
    );
    assert.deepEqual(linked.map((link) => link.slice(1)).sort(), DOCS);
    await page.close();
  });

  it('lints in the playground, and applies a suggestion', async () => {
    const { page } = await open('playground', LIGHT);
    await page.waitForSelector('.playground li a[href$="/rules/no-detached-spawn"]');
    await page.waitForSelector('.playground li a[href$="/rules/no-blocking-call"]');
    await page.fill(
      '#playground-code',
      "import { spawn } from 'node:child_process';\nexport const run = () => spawn('a', [], { detached: true });\n",
    );
    await page.click('.playground li button >> nth=0');
    await page.waitForSelector('.playground [role=status]:has-text("Nothing to report.")');
    const text = await page.evaluate<string>("document.querySelector('#playground-code').value");
    assert.match(text, /spawnOwned\('a', \[\]\)/);
    await page.close();
  });

  it('finds a rule by a word of its page', async () => {
    const { page } = await open('', LIGHT);
    await page.click('.VPNavBarSearch button');
    await page.fill('.VPLocalSearchBox input', 'detached');
    await page.waitForSelector('.VPLocalSearchBox a[href*="/rules/no-detached-spawn"]');
    await page.close();
  });
});
