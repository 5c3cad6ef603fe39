// tap has each test process record the files that it loads, by a thread through which all of their sources go. Coverage
// reads that, which nobody takes here, and it costs a process of tests a tenth of its time and more.
import { ChildProcess } from 'node:child_process';

const RECORDER = /^--import=.*\/@tapjs\/processinfo\//;
const { spawn } = ChildProcess.prototype;

ChildProcess.prototype.spawn = function (options) {
  return Reflect.apply(spawn, this, [{ ...options, args: options.args.filter((arg) => !RECORDER.test(arg)) }]);
};
