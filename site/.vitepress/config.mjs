import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

const pages = fileURLToPath(new URL('../.pages/', import.meta.url));
const titleOf = (page) => /^# (.+)$/m.exec(readFileSync(`${pages}${page}.md`, 'utf8'))?.[1] ?? page;
const entries = (...names) => names.map((page) => ({ text: titleOf(page), link: `/${page}` }));
const folder = (name) =>
  readdirSync(pages + name)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `${name}/${file.slice(0, -'.md'.length)}`);

const COMMANDS = ['init', 'check', 'markers', 'migrate', 'prove', 'ps', 'orphans', 'cli'];
const OWN = ['index', 'playground', 'changelog'];
const others = readdirSync(pages)
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -'.md'.length))
  .filter((page) => !COMMANDS.includes(page) && !OWN.includes(page))
  .sort();

/** A parent and its child, in one frame. */
const ICON =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#3451b2"/><path d="M16 11v10" stroke="#fff" stroke-width="3"/><circle cx="16" cy="9" r="5" fill="#fff"/><circle cx="16" cy="23" r="4" fill="#fff"/></svg>',
  );

export default defineConfig({
  title: 'owned-spawn',
  description: 'Find, fix and prove: children that outlive their owner, and calls that block the event loop',
  lang: 'en',
  srcDir: '.pages',
  // Where it is served from is the host's to say: BASE=/owned-spawn/ npm run build
  base: process.env.BASE ?? '/',
  head: [['link', { rel: 'icon', href: ICON }]],
  cleanUrls: true,
  lastUpdated: false,
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Start', link: '/guides/adopt' },
      { text: 'Rules', link: '/rules/no-detached-spawn' },
      { text: 'Playground', link: '/playground' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar: [
      { text: 'Guides', items: entries(...folder('guides')) },
      { text: 'Commands', items: entries(...COMMANDS) },
      { text: 'Rules', items: entries(...folder('rules')) },
      { text: 'Beside other tools', items: entries(...others) },
    ],
    footer: { message: 'Released under the MIT licence.' },
  },
});
