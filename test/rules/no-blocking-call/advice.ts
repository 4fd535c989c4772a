/** What the message advises where the function that calls can wait. */
export const instead = (name: string) => `Await \`fs.promises.${name}\`, or move it off the loop.`;

/** What it advises where functions lie between that function and the call. */
export const onTheWay = (name: string) =>
  `Await \`fs.promises.${name}\` there and make the functions on the way async (\`owned-spawn migrate --recipe off-loop\`), or move it off the loop.`;
