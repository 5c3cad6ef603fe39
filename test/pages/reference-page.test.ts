import t from 'tap';
import { REFERENCE_PAGE } from '../../server/pages/reference-page.ts';

t.test('the page permits its own files and nothing inline, and no other page may frame it', async (t) => {
  const { status, headers = {}, body } = REFERENCE_PAGE;
  t.equal(status, 200);
  const policy = headers['Content-Security-Policy'] ?? '';
  t.match(policy, "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'");
  t.match(policy, "frame-ancestors 'none'");
  t.notMatch(policy, /unsafe|\*|https?:/);
  t.notMatch(String(body), /<script(?![^>]* src=)|<style|style=|onclick|https?:/);
});
