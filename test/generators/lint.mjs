import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';

/** Prints what Redocly's recommended rules say of a document, a line for each problem. */

const [file = ''] = process.argv.slice(2);
const config = await createConfig({ extends: ['recommended'] });
const problems = await lintFromString({ source: readFileSync(file, 'utf8'), absoluteRef: file, config });
for (const { severity, ruleId, message, location } of problems) {
  console.log(`${severity} ${ruleId}: ${message} ${location[0]?.pointer}`);
}
