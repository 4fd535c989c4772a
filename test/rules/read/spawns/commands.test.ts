import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sitesOf, isReported } from './sites-of.ts';

describe('commands', () => {
  const forms: Record<string, [code: string, expected: string]> = {
    launcher: [`cp.spawn('setsid', ['a']);`, 'yes launcher'],
    'launcher behind sudo': [`cp.spawn('sudo', ['systemd-run', 'a']);`, 'yes launcher'],
    'launcher that waits': [`cp.spawn('systemd-run', ['--wait', 'a']);`, 'no option'],
    'launcher by a constant': [`const file = '/usr/bin/nohup'; cp.spawn(file, ['a']);`, 'yes launcher'],
    'argument that names one': [`cp.spawn('which', ['setsid']);`, 'no option'],
    'line with &': [`cp.exec('a &');`, 'yes shell'],
    'line with &&': [`cp.exec('a && b 2>&1');`, 'no ineffective'],
    'template with holes': ['cp.exec(`${file} --quiet > /dev/null 2>&1 &`);', 'yes shell'],
    concatenation: [`cp.exec('nohup ' + file + ' &');`, 'yes shell'],
    'joined list': [`cp.exec(['nohup', file, '&'].join(' '));`, 'yes shell'],
    'assigned in a branch': [
      `let line = ''; if (x) line = 'a'; else line = 'b &'; cp.exec(line);`,
      'yes shell',
    ],
    'sh -c': [`cp.spawn('sh', ['-c', 'a &']);`, 'yes shell'],
    'sh -c of a container': [
      `cp.spawn('docker', ['exec', name, 'bash', '-c', 'nohup a & disown']);`,
      'yes shell',
    ],
    'shell: true': [`cp.spawn('a &', { shell: true });`, 'yes shell'],
    'no shell': [`cp.spawn('a &');`, 'no option'],
    'node -e': [
      `cp.spawn(process.execPath, ['-e', "require('child_process').spawn('a', [], { detached: true })"]);`,
      'yes launcher',
    ],
    'node -e without': [`cp.spawn('node', ['-e', "require('child_process').spawn('a')"]);`, 'no option'],
  };
  for (const [name, [code, expected]] of Object.entries(forms)) {
    it(`reads a ${name}`, () => {
      const [site = ''] = sitesOf(`import cp from 'child_process';\n${code}`);
      assert.equal(site.split(' ').slice(0, 2).join(' '), expected);
    });
  }

  it('reads the line that a wrapper is given', () => {
    const code = `import { exec } from 'child_process';
const run = (line) => exec(line);
run('a');
run('a &');`;
    assert.deepEqual(sitesOf(code).filter(isReported), ['yes shell 4:4']);
  });

  it('reads the line that a wrapper out of sight is given', () => {
    assert.deepEqual(sitesOf(`sshExec(host, 'setsid a > /dev/null 2>&1 &');`), ['yes shell 1:1']);
  });

  it('reads a script that is written to be run', () => {
    const code = `fs.writeFileSync('run.sh', '#!/bin/sh\\nnohup a > log 2>&1 &\\n');`;
    assert.deepEqual(sitesOf(code), ['yes shell 1:1']);
  });
});
