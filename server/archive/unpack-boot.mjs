// The program that unpacks an app, for whoever has no thread to spare: the archive, the folder for it, and TypeScript first.
import { register } from 'tsx/esm/api';

register();
const { unpackApp } = await import('./unpack.ts');
const [file, into] = process.argv.slice(2);
try {
  process.stdout.write(await unpackApp(file, into));
} catch (error) {
  process.stderr.write(error.message);
  process.exitCode = 1;
}
