import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';

const root = resolve(import.meta.dirname, '../..');

const withoutCode = (text: string): string =>
  text.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, 'code');

/** The anchors of a page's headings, as GitHub and the site make them, and those that it sets itself. */
function anchorsOf(file: string): Set<string> {
  const text = readFileSync(file, 'utf8').replaceAll(/^```[^]*?^```$/gm, '');
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)]);
}

/** What is wrong with the links of a page to files and headings. */
function brokenLinks(page: string): string[] {
  const links = [...withoutCode(readFileSync(join(root, page), 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)];
  return links.flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? join(root, page) : join(root, dirname(page), path);
    if (!existsSync(target)) return [`${link}: no such file`];
    return anchor !== undefined && !anchorsOf(target).has(anchor) ? [`${link}: no such heading`] : [];
  });
}

describe('the links of the documentation', () => {
  // Fixtures are inputs, not pages.
  const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((page) => page !== '' && !page.startsWith('test/') && existsSync(join(root, page)));

  for (const page of pages) {
    it(`lead somewhere in ${page}`, () => {
      assert.deepEqual(brokenLinks(page), []);
    });
  }

  it('stay within docs/ there, which is packed with the plugin and built into the site', () => {
    const outside = pages
      .filter((page) => page.startsWith('docs/'))
      .flatMap((page) =>
        [...withoutCode(readFileSync(join(root, page), 'utf8')).matchAll(/\]\((\.[^)\s#]+)/g)]
          .map(([, link = '']) => relative(root, join(root, dirname(page), link)))
          .filter((path) => !path.startsWith('docs/'))
          .map((path) => `${page}: ${path}`),
      );
    assert.deepEqual(outside, []);
  });
});
