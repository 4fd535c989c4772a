// What the messages advise, by what the site tells of its intent.
const mark = 'say why in a marker: `// detached-spawn: ok — …`';
export const accident = `If it must end with its owner, start it with \`spawnOwned\`; if not, ${mark}.`;
export const meant = (signal: string) => `It seems meant (${signal}): ${mark}.`;
export const group = (signal: string) =>
  `It seems to be for ending the whole group (${signal}): start it with \`spawnOwned\`, which does that.`;
export const leaves = `If it is meant, ${mark}; if not, start it with \`spawnOwned\` without that.`;
