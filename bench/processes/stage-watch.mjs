import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';

/** Loaded into each thread of a service before its own code: notes the stages that it tells of, and writes them as the thread ends. */
const marks = [];
subscribe('runcloud.stages', ({ stage, inputSeq, atMs = performance.now() }) => {
  marks.push({ stage, inputSeq, atMs: performance.timeOrigin + atMs });
});
process.once('exit', () => {
  if (marks.length > 0) writeFileSync(`${process.env.BENCH_STAGES_DIR}/${threadId}.json`, JSON.stringify(marks));
});
