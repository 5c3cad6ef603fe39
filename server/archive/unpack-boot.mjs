// The program that unpacks an app, for a caller that has no thread to spare: the archive, and the folder for it.
import { load } from '../code/load.mjs';

const { unpackApp } = await load('unpack');
const [file, into] = process.argv.slice(2);
try {
  process.stdout.write(await unpackApp(file, into));
} catch (error) {
  process.stderr.write(error.message);
  process.exitCode = 1;
}
