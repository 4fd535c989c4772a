import { describeWays, READ } from './ways.ts';

describeWays({
  'nothing past an async function, which reports for itself': [
    {
      'lib.ts':
        "import fs from 'node:fs';\nexport async function load(p: string) { return fs.readFileSync(p); }\n",
      'app.ts': "import { load } from './lib';\nexport async function h() { return load('x'); }\n",
    },
    [],
  ],
  'nothing through what a marker excuses': [
    {
      'lib.ts': `import fs from 'node:fs';
// blocking-call: ok — the file is a few bytes long
export function load(p: string) { return fs.readFileSync(p); }
export function read(p: string) { return fs.readFileSync(p); }
`,
      'app.ts': `import { load, read } from './lib';
export async function h() { return load('x'); }
export async function k() {
  // blocking-call: ok — once in a process and small
  return read('x');
}
`,
    },
    [],
  ],
  'nothing in a worker, at the top level or in what stays in one file': [
    {
      'lib.ts': READ,
      'resize.worker.ts': "import { load } from './lib';\nexport async function h() { return load('x'); }\n",
      'top.ts': "import { load } from './lib';\nexport const config = load('config');\n",
      'one.ts': READ + "export async function h() { return load('x'); }\n",
    },
    [],
  ],
});
