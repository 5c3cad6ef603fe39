// Preloaded into a server: a signal makes it throw where nobody catches, as a bug would.
process.on('SIGUSR2', () => {
  setTimeout(() => {
    throw new Error('nobody catches this');
  }, 1);
});
