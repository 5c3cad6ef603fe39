// tap has every child process load a reporter of its own, for coverage, which nobody takes here. It costs each of them
// a third of a second, and handles signals. Without it, a program under test is the one that a user starts.
import processOnSpawn from 'process-on-spawn';

processOnSpawn.removeAllListeners();
delete process.env.NODE_OPTIONS;
