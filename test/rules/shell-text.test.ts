import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { argvLeavesChild, leavesChild, type ShellPart } from '../../rules/read/shell-text.ts';

/** A command line with holes: line`${'command'} &`. */
function line({ raw }: TemplateStringsArray, ...holes: string[]): ShellPart[] {
  return raw.flatMap((text, index) => {
    const source = holes[index];
    return [{ text, hole: false }, ...(source === undefined ? [] : [{ text: `\${${source}}`, hole: true }])];
  });
}

const text = (value: string): ShellPart[] => [{ text: value, hole: false }];

/** Command line → the clause of the message, and the text at which it points. */
const leaving: Record<string, [why: string, at: string]> = {
  'server &': ['`&` at the end of the command leaves `server` in the background', '&'],
  'server --port 1&': ['`&` at the end of the command leaves `server` in the background', '&'],
  'server & echo $!': ['`&` leaves `server` in the background', '& echo'],
  'node a.js > log 2>&1 & echo $! > pid': ['`&` leaves `node` in the background', '& echo'],
  'server 2>/dev/null& true': ['`&` leaves `server` in the background', '& true'],
  'a && b &': ['`&` at the end of the command leaves `b` in the background', '&'],
  'a; b & c': ['`&` leaves `b` in the background', '& c'],
  'a & b; wait; c &': ['`&` at the end of the command leaves `c` in the background', '&'],
  'PORT=1 server &': ['`&` at the end of the command leaves `server` in the background', '&'],
  'sudo -u me env A=1 /opt/server &': [
    '`&` at the end of the command leaves `/opt/server` in the background',
    '&',
  ],
  '(server &)': ['`&` leaves `server` in the background', '&)'],
  '(server &); wait': ['`&` leaves `server` in the background', '&)'],
  '(a; b) &': ['`&` at the end of the command leaves its commands in the background', '&'],
  '{ a; b; } &': ['`&` at the end of the command leaves its commands in the background', '&'],
  'for i in 1 2; do server $i & done': ['`&` leaves `server` in the background', '& done'],
  'if test -f a; then server & fi': ['`&` leaves `server` in the background', '& fi'],
  'case $1 in start) server & ;; esac': ['`&` leaves `server` in the background', '& ;;'],
  'start() { server & }; start': ['`&` leaves `server` in the background', '& }'],
  'pid=$(server & echo $!)': ['`&` leaves `server` in the background', '& echo'],
  'echo "$(server &)"': ['`&` leaves `server` in the background', '&)"'],
  'echo `server &`': ['`&` leaves `server` in the background', '&`'],
  'cat <<END\nx & y\nEND\nserver &': ['`&` at the end of the command leaves `server` in the background', '&'],
  'bash <<END\nserver &\nEND': ['`&` at the end of the command leaves `server` in the background', 'bash'],
  "sh -c 'server &'": ['`&` at the end of the command leaves `server` in the background', "'server"],
  "bash -lc 'cd x && server & echo ok'": ['`&` leaves `server` in the background', "'cd"],
  "eval 'server &'": ['`&` at the end of the command leaves `server` in the background', "'server"],
  "ssh -p 22 host 'server &'": ['`&` at the end of the command leaves `server` in the background', "'server"],
  "docker exec web sh -c 'server &'": [
    '`&` at the end of the command leaves `server` in the background',
    "'server",
  ],
  'trap "rm -f lock" EXIT; server &': [
    '`&` at the end of the command leaves `server` in the background',
    '&',
  ],
  'trap - EXIT; server & kill -0 $!': ['`&` leaves `server` in the background', '& kill'],
  'server \\\n  --port 1 &': ['`&` at the end of the command leaves `server` in the background', '&'],
  'nohup server > log': ['`nohup` keeps `server` running when its owner hangs up', 'nohup'],
  'env X=1 nohup server &': ['`nohup` keeps `server` running when its owner hangs up', 'nohup'],
  'cd x && nohup node a.js &': ['`nohup` keeps `node` running when its owner hangs up', 'nohup'],
  'screen -dmS web server': ['`screen -dm` starts its program in a session without a terminal', 'screen'],
  'screen -d -m server': ['`screen -dm` starts its program in a session without a terminal', 'screen'],
  'tmux -L app new-session -d -s web server': [
    '`tmux new-session -d` hands its program to the server of tmux',
    'tmux',
  ],
  'tmux new -ds web': ['`tmux new-session -d` hands its program to the server of tmux', 'tmux'],
  'powershell -NoProfile -Command "Start-Process server.exe -Verb RunAs"': [
    '`Start-Process` starts its program beside PowerShell, which waits for it only with `-Wait`',
    '"Start',
  ],
  'setsid server': ['`setsid` starts `server` in a session of its own', 'setsid'],
  'setsid -f server': ['`setsid` starts `server` in a session of its own', 'setsid'],
  'setsid --wait server': ['`setsid` starts `server` in a session of its own', 'setsid'],
  '/usr/bin/setsid server': ['`setsid` starts `server` in a session of its own', '/usr'],
  'exec setsid server': ['`setsid` starts `server` in a session of its own', 'setsid'],
  'timeout -s KILL 5 setsid server': ['`setsid` starts `server` in a session of its own', 'setsid'],
  'bg; disown %1': ['`disown` takes the job away from its shell', 'disown'],
  'daemonize -p pid /bin/server': ['`daemonize` starts its program as a daemon', 'daemonize'],
  'start-stop-daemon --start --background --exec x': [
    '`start-stop-daemon --background` starts its program as a daemon',
    'start-',
  ],
  'start-stop-daemon -Sbx /bin/server': [
    '`start-stop-daemon --background` starts its program as a daemon',
    'start-',
  ],
  'sudo systemd-run --unit=x server': ['`systemd-run` hands its command to systemd', 'systemd-run'],
  'systemd-run --user --unit=y server': ['`systemd-run` hands its command to systemd', 'systemd-run'],
  'launchctl bootstrap gui/501 x.plist': ['`launchctl` hands the job to launchd', 'launchctl'],
  'start /b server': ['`start /b` leaves its program in the background', 'start'],
  'cmd.exe /c START /B "" server': ['`start /b` leaves its program in the background', 'START'],
  'echo server | at now + 1 minute': ['`at` hands the command to its daemon', 'at now'],
};

const staying = [
  'screen -ls',
  'screen -D -m server',
  'tmux attach -d -t web',
  'tmux new-session -s web',
  'powershell -c "Start-Process server.exe -Wait"',
  'powershell -Command "Start-Process https://example.org"',
  'powershell -Command "& server.exe; Get-Process"',
  '',
  'server',
  'a && b',
  'a || b',
  'a | b',
  'a |& b',
  'a & b; wait',
  'a & b & wait $!; echo done',
  'for i in 1 2; do a $i & done; wait',
  '(a & b & wait)',
  'server & sleep 1; test; kill $!',
  "trap 'kill $!' EXIT; server & test",
  'stop() { kill $(jobs -p); }; trap stop EXIT; server & test',
  'cmd 2>&1',
  'cmd >&2',
  'cmd > log 2>&1',
  'cmd <&-',
  'cmd &> log',
  'cmd &>> log',
  'cmd >& log',
  'curl "a?b=1&c=2"',
  "curl 'a?b=1&c=2'",
  "echo 'x & y'",
  'echo a \\& b',
  'echo "a & b"',
  "echo $'it\\'s & more'",
  'echo ${x:-a & b}',
  'echo $((1 & 2))',
  '(( a & b ))',
  'if (( a & b )); then c; fi',
  'a # and then b &',
  'cat <<END\nserver &\nEND',
  "cat <<-'END'\n\tserver &\n\tEND\ntrue",
  'grep "setsid nohup" file',
  'echo nohup server',
  'which setsid',
  'man nohup',
  'setsid --help',
  'systemd-run --user --wait server',
  'systemd-run --user --scope --quiet server',
  'command -v setsid',
  'command -v nohup > /dev/null && echo yes',
  'sudo -l setsid',
  'start https://example.org/?a=1&b=2',
  'systemd-run --pty -- server',
  'start-stop-daemon --stop --pidfile x',
  'start-stop-daemon --start --exec server',
  'launchctl unload x.plist',
  'start "" "https://example.org"',
  'start /b /wait server',
  'npm start',
  'cmd /c "build & test"',
  'look at that',
  `echo "sh -c 'server &'"`,
  'rm -rf a&&mkdir a',
  '"unclosed & quote',
  '&',
  ')',
  '$(',
  '<<',
];

describe('leavesChild', () => {
  for (const [command, [why, at]] of Object.entries(leaving)) {
    it(`tells that a child is left by ${JSON.stringify(command)}`, () => {
      const left = leavesChild(text(command));
      assert.deepEqual([left?.verdict, left?.why], ['yes', why]);
      assert.ok(command.slice(left?.index).startsWith(at), `points at ${command.slice(left?.index)}`);
    });
  }

  for (const command of staying) {
    it(`is silent about ${JSON.stringify(command)}`, () => {
      assert.equal(leavesChild(text(command)), undefined);
    });
  }

  it('takes a hole as part of a word, whatever it holds', () => {
    assert.equal(leavesChild(line`${'command'}`), undefined);
    assert.equal(leavesChild(line`server --port ${'port'}`), undefined);
    assert.equal(leavesChild(line`curl "${'a & b'}"`), undefined);
    assert.equal(leavesChild(line`git add ${'files'} && git commit -m "${'message'}"`), undefined);
    assert.equal(
      leavesChild(line`${'command'} &`)?.why,
      '`&` at the end of the command leaves `…` in the background',
    );
    assert.equal(
      leavesChild(line`nohup ${'bin'}/server`)?.why,
      '`nohup` keeps `…/server` running when its owner hangs up',
    );
    assert.equal(leavesChild(line`sh -c '${'a'} & ${'b'}'`)?.why, '`&` leaves `…` in the background');
  });

  it('points into the text that its parts make together', () => {
    assert.equal(leavesChild(line`${'command'} & echo`)?.index, '${command} '.length);
  });

  it('is not sure where a hole may hold the operator', () => {
    assert.deepEqual(leavesChild(line`server ${"background ? '&' : ''"}`), {
      verdict: 'maybe',
      why: '`&` may be put behind the command',
      index: 'server '.length,
    });
    assert.equal(leavesChild(line`server ${"query ? 'a&b' : ''"}`), undefined);
  });

  it('knows that `&` only separates commands in cmd.exe', () => {
    assert.equal(leavesChild(text('build & test'), 'cmd'), undefined);
    assert.equal(leavesChild(text("it's & fine"), 'cmd'), undefined);
    assert.equal(leavesChild(text('cd x & start /b server'), 'cmd')?.verdict, 'yes');
  });

  it('reads any text without throwing or hanging', () => {
    const pieces = [
      'a',
      ' ',
      '&',
      '(',
      ')',
      '$(',
      '`',
      '"',
      "'",
      '\\',
      '<<E',
      '\n',
      'E',
      '((',
      '${',
      '>',
      '#',
      ';',
      '\uFFFC',
    ];
    // A walk through combinations that is the same in every run.
    for (let seed = 0, state = 1; seed < 20_000; seed++) {
      const command = Array.from({ length: 8 }, () => {
        state = (state * 48271) % 2147483647;
        return pieces[state % pieces.length];
      }).join('');
      leavesChild(text(command));
    }
  });
});

describe('argvLeavesChild', () => {
  const argv = (...words: string[]): ShellPart[][] => words.map(text);

  it('knows programs that leave by themselves, with or without others before them', () => {
    assert.deepEqual(argvLeavesChild(argv('setsid', 'server')), {
      verdict: 'yes',
      why: '`setsid` starts `server` in a session of its own',
      index: 0,
    });
    assert.equal(argvLeavesChild(argv('sudo', '-u', 'me', 'systemd-run', 'server'))?.index, 3);
    assert.equal(argvLeavesChild([text('setsid'), line`${'command'}`])?.verdict, 'yes');
  });

  it('reads the command line of a shell among the words', () => {
    assert.equal(argvLeavesChild(argv('sh', '-c', 'server &'))?.index, 2);
    assert.equal(argvLeavesChild([text('bash'), text('-c'), line`${'command'} & echo $!`])?.verdict, 'yes');
    assert.equal(
      argvLeavesChild(argv('docker', 'exec', 'web', 'bash', '-c', 'nohup server & disown'))?.index,
      5,
    );
    assert.equal(argvLeavesChild(argv('cmd', '/c', 'start', '/b', 'server'))?.verdict, 'yes');
  });

  it('takes `&` in other words as it stands', () => {
    assert.equal(argvLeavesChild(argv('curl', 'a?b=1&c=2')), undefined);
    assert.equal(argvLeavesChild(argv('node', 'server.js', '&')), undefined);
    assert.equal(argvLeavesChild(argv('sh', '-c', 'a && b 2>&1')), undefined);
    assert.equal(argvLeavesChild(argv('sh', 'script.sh')), undefined);
    assert.equal(argvLeavesChild(argv('cmd', '/c', 'a & b')), undefined);
    assert.equal(argvLeavesChild([]), undefined);
  });
});
