// SPDX-License-Identifier: Apache-2.0
//
// Builds one HTML file: the script and the style stand inside it, and the content security policy names
// both by their hashes, so that nothing else on the page can run or fetch.
import { createHash } from 'node:crypto';
import { defineConfig, type Plugin } from 'vite';

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

function policy(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "img-src data:",
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function oneFile(): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const html = bundle['index.html'];
      if (html?.type !== 'asset') throw new Error('no index.html was built');
      let script = '';
      let style = '';
      for (const [name, item] of Object.entries(bundle)) {
        if (name === 'index.html') continue;
        if (item.type === 'chunk') script += item.code;
        else if (name.endsWith('.css')) style += item.source.toString();
        else throw new Error(`${name} would be a second file`);
        delete bundle[name];
      }
      script = script.trim().replaceAll('</script', '<\\/script');
      style = style.trim();
      const inline: [RegExp | string, string][] = [
        [/<script type="module"[^>]*src=[^>]*><\/script>\s*/, ''],
        [/<link rel="stylesheet"[^>]*>\s*/, ''],
        ['@CSP@', policy(script, style)],
        ['</head>', `<style>${style}</style>\n</head>`],
        ['</body>', `<script type="module">${script}</script>\n</body>`],
      ];
      html.source = inline.reduce((text, [from, to]) => {
        if (typeof from === 'string' ? !text.includes(from) : !from.test(text)) throw new Error(`no ${from} in index.html`);
        return text.replace(from, () => to);
      }, html.source.toString());
    },
  };
}

export default defineConfig({
  build: { target: 'es2021', assetsInlineLimit: 1 << 20, cssCodeSplit: false, modulePreload: false, minify: 'esbuild' },
  plugins: [oneFile()],
});
