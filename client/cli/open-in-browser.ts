import { spawn } from 'node:child_process';

/** Opens an address in the person's browser. Without one nothing happens: the address is printed as well. */
export function openInBrowser(url: string): void {
  // It came from the service, and goes to a program as an argument: nothing but a web address may.
  if (!/^https?:\/\//.test(url)) return;
  const [program = '', ...args] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open'];
  spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
