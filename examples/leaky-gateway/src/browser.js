import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { answers } from './answers.js';
import { freePort } from './free-port.js';

const BROWSERS = process.env.CHROME_PATH
  ? [process.env.CHROME_PATH]
  : [
      '/usr/bin/chromium',
      '/usr/bin/google-chrome',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ];
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
];

let browser;

/** Starts a headless browser that others drive over its debugging port; where none is installed, a stand-in. */
export async function startBrowser() {
  const profile = join(import.meta.dirname, '../.cache/browser');
  mkdirSync(profile, { recursive: true });
  const port = await freePort(9222);
  const own = [`--remote-debugging-port=${port}`, `--user-data-dir=${profile}`];
  const installed = BROWSERS.find((path) => existsSync(path));
  const [command, args] = installed
    ? [installed, [...FLAGS, ...own, 'about:blank']]
    : [process.execPath, [join(import.meta.dirname, '../programs/browser-stand-in.js'), ...own]];
  browser = spawn(command, args, { detached: true, stdio: 'ignore' });
  await answers(`http://127.0.0.1:${port}/json/version`);
}

export function stopBrowser() {
  if (browser) process.kill(-browser.pid, 'SIGKILL');
}
