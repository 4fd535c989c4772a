import { describePairs } from './pairs.ts';

describePairs('commands', {
  screen: {
    leaves: `
import { spawn, exec } from 'node:child_process';
spawn('screen', ['-dmS', 'server', 'node', 'server.js']); //!
exec('screen -d -m node server.js'); //!`,
    stays: `
import { spawn, exec } from 'node:child_process';
spawn('screen', ['-r', 'server']);
exec('screen -ls');
exec('screen -D -m node server.js');`,
  },
  tmux: {
    leaves: `
import { spawn, exec } from 'node:child_process';
spawn('tmux', ['-L', 'app', 'new-session', '-d', '-s', name, cmd]); //!
exec(\`tmux new -d -s \${name} 'node server.js'\`); //!
exec(\`tmux new-session -Ads main\`); //!`,
    stays: `
import { spawn, exec } from 'node:child_process';
spawn('tmux', ['attach-session', '-d', '-t', name], { stdio: 'inherit' });
exec('tmux kill-session -t main');
spawn('tmux', ['new-session', '-s', name], { stdio: 'inherit' });`,
  },
  'Start-Process': {
    leaves: `
import { spawn, exec } from 'node:child_process';
spawn('powershell.exe', ['-NoProfile', '-Command', "Start-Process 'server.exe' -WindowStyle Hidden"]); //!
exec('powershell -Command "Start-Process notepad"'); //!
spawn('pwsh', ['-c', \`Start-Process -FilePath "\${file}" -Verb RunAs\`]); //!`,
    stays: `
import { spawn, exec } from 'node:child_process';
spawn('powershell.exe', ['-Command', 'Start-Process server.exe -Wait']);
exec('powershell -Command "Get-Process notepad"');
spawn('powershell', ['-Command', "& 'C:\\\\tool.exe' --quiet"]);`,
  },
  'start /b': {
    leaves: `
import { exec, spawn } from 'node:child_process';
exec('start /b node server.js'); //!
spawn('cmd', ['/c', 'start', '/b', 'node', 'server.js']); //!`,
    stays: `
import { exec, spawn } from 'node:child_process';
exec('npm start -- /b');
spawn('cmd', ['/c', 'start', '/b', '/wait', 'node', 'server.js']);`,
  },
  'a launcher in a variable by system': {
    leaves: `
import { spawn } from 'node:child_process';
const launcher = process.platform === 'linux' ? 'setsid' : 'env';
spawn(launcher, ['server']); //!`,
    stays: `
import { spawn } from 'node:child_process';
const launcher = process.platform === 'linux' ? 'nice' : 'env';
spawn(launcher, ['server']);`,
  },
  'a launcher in front of a list': {
    leaves: `
import { execFile } from 'node:child_process';
const command = ['nohup', 'node', 'server.js'];
execFile(command[0], command.slice(1)); //!`,
    stays: `
import { execFile } from 'node:child_process';
const command = ['nice', 'node', 'server.js'];
execFile(command[0], command.slice(1));`,
  },
  'code for node -e': {
    leaves: `
import { spawn, execFileSync } from 'node:child_process';
const code = \`
  const { spawn } = require('child_process');
  spawn(\${JSON.stringify(file)}, [], { detached: true, stdio: 'ignore' }).unref();
\`;
spawn(process.execPath, ['-e', code]); //!
execFileSync('node', ['--eval', "require('child_process').spawn('a',[],{detached:true})"]); //!`,
    stays: `
import { spawn, execFileSync } from 'node:child_process';
const code = \`
  const { sign } = require('openpgp');
  sign(\${JSON.stringify(file)}, { detached: true });
\`;
spawn(process.execPath, ['-e', code]);
execFileSync('node', ['--eval', "console.log({ detached: true })"]);`,
  },
  'code for node -e in a command line': {
    leaves: `
import { exec } from 'node:child_process';
exec(\`node -e "require('child_process').spawn('a', [], { detached: true }).unref()"\`); //!`,
    stays: `
import { exec } from 'node:child_process';
exec(\`node -e "console.log({ detached: true })"\`);`,
  },
  'ssh and containers': {
    leaves: `
import { execa } from 'execa';
await execa('ssh', [host, 'nohup ./server > log 2>&1 &']); //!
await execa('docker', ['exec', '-i', id, 'sh', '-lc', 'server & disown']); //!`,
    stays: `
import { execa } from 'execa';
await execa('ssh', [host, './server > log 2>&1']);
await execa('docker', ['run', '-d', image]);`,
  },
});

describePairs('texts', {
  'cmd.exe as the shell': {
    leaves: `
import { exec } from 'node:child_process';
exec('a & b', { shell: '/bin/bash' }); //!`,
    stays: `
import { exec } from 'node:child_process';
exec('a & b', { shell: 'cmd.exe' });
exec('a & b', { shell: 'powershell' });`,
  },
  quotes: {
    leaves: `
import { exec } from 'node:child_process';
exec("curl 'https://example.org/?a=1&b=2' > log &"); //!`,
    stays: `
import { exec } from 'node:child_process';
exec("curl 'https://example.org/?a=1&b=2'");
exec('echo "a & b"');
exec('grep -c "&" log');`,
  },
  'a program that is written to be run': {
    leaves: `
import { writeFileSync } from 'node:fs';
writeFileSync('start.cjs', "require('child_process').spawn('a', [], { detached: true }).unref();"); //!`,
    stays: `
import { writeFileSync } from 'node:fs';
writeFileSync('start.cjs', "require('child_process').spawn('a', [], { stdio: 'ignore' });");
writeFileSync('help.md', "Call \`spawn('a', [], { detached: true })\` of child_process.");`,
  },
  'a list that is pushed to': {
    leaves: `
import { spawn } from 'node:child_process';
const args = [];
args.push('-c', 'server &');
spawn('sh', ['-c', 'server > log &']); //!`,
    stays: `
import { spawn } from 'node:child_process';
const args = ['--name', 'server &'];
spawn('tool', args);`,
  },
});

describePairs('commands in wrappers, lists and lines that grow', {
  'a record that says what to run': {
    leaves: `
import { launch } from './node.js';
export const go = () => launch({ command: 'node', args: ['x'], detached: true }); //!`,
    stays: `
import { launch } from './rocket.js';
export const go = () => launch({ stage: 'first', detached: true });`,
  },
  'a list whose name ends in arguments': {
    leaves: `
export function open(childProcess, cliArguments) {
  const childProcessOptions = {};
  childProcessOptions.detached = true;
  return childProcess.spawn('x', cliArguments, childProcessOptions); //!
}`,
    stays: `
export function open(game, position) {
  const options = {};
  options.detached = true;
  return game.spawn('x', position, options);
}`,
  },
  'a launcher and its list in a wrapper out of sight': {
    leaves: `
import { execFileCapture } from './exec.js';
await execFileCapture('launchctl', ['kickstart', '-k', 'x']); //!
await execFileCapture('setsid', ['node', 'x']); //!`,
    stays: `
import { execFileCapture } from './exec.js';
await execFileCapture('launchctl', ['print', 'x']);
await execFileCapture('git', ['log', '--grep', 'setsid']);`,
  },
  'a variable of the environment': {
    leaves: `
import { spawn } from 'node:child_process';
spawn('x', [], { detached: process.env.DETACH === '1' }); //!
spawn('x', [], { detached: Boolean(process.env.DETACHED) }); //!`,
    stays: `
import { spawn } from 'node:child_process';
export const go = (options) => spawn('x', [], { detached: options.detach === '1' });
spawn('x', [], { detached: !process.platform === 'win32' });`,
  },
  'a command line that grows': {
    leaves: `
import { exec } from 'node:child_process';
export function go(bin, log) {
  let line = bin;
  line += ' > ' + log;
  line += ' &';
  exec(line); //!
  const words = [bin];
  words.push('&');
  exec(words.join(' ')); //!
  exec(bin.concat(' &')); //!
}`,
    stays: `
import { exec } from 'node:child_process';
export function go(bin, log) {
  let line = bin;
  line += ' > ' + log;
  line += ' && echo done';
  exec(line);
  const words = [bin];
  words.push('--scope');
  exec(words.join(' '));
  exec(bin.concat(' --quiet'));
}`,
  },
  'a list that grows': {
    leaves: `
import { spawn } from 'node:child_process';
const args = ['-n'];
args.push('setsid', 'server');
spawn('sudo', args); //!`,
    stays: `
import { spawn } from 'node:child_process';
const args = ['-n'];
args.push('server');
spawn('sudo', args);`,
  },
  'a shell in Deno': {
    leaves: `
new Deno.Command('sh', { args: ['-c', 'server &'] }).spawn(); //!`,
    stays: `
new Deno.Command('sh', { args: ['-c', 'server & wait'] }).spawn();`,
  },
  'an & in what is no command line': {
    leaves: `
import { ssh } from './ssh.js';
ssh.exec('nohup server > /dev/null 2>&1 &'); //!
ssh.exec('server > log/server.txt & echo $!'); //!
ssh.exec('server &'); //!
ssh.exec('cd /app && (node a.js >/dev/null &)'); //!`,
    stays: `
import { spawn } from 'node:child_process';
db.exec('UPDATE t SET a = a & 7 WHERE id = 1');
db.run('SELECT * FROM t WHERE flags & 4');
launch('http://x/?a=1&b=2', { headless: true });
browser.execute('return 1 & 2');
page.runScript('var a=1;a&b&&c()');
runCommand('Salt & pepper');
launchEditor('R&D');`,
  },
  'a command line of Windows': {
    leaves: `
import { exec } from 'node:child_process';
const line = process.platform === 'win32' ? 'cls & dir' : 'clear & ls';
exec(line); //!
exec('start /b node x.js'); //!`,
    stays: `
import { exec, execSync } from 'node:child_process';
execSync('start https://x/?a=1&b=2');
if (process.platform === 'win32') exec('chcp 65001 & dir');
const line = process.platform === 'win32' ? 'cls & dir' : 'clear; ls';
exec(line);
switch (process.platform) {
  case 'win32':
    exec('title x & run');
}`,
  },
});
