/** Why a session ended, in a sentence for people. Every other reason is a fault of the device. */
const SENTENCES: Readonly<Record<string, string>> = {
  requested: 'It was ended, and its device was released.',
  inactivity_timeout: 'It was not used for some time.',
  hard_timeout: 'It reached its maximum duration.',
  server_stopped: 'The service was stopped.',
  server_restarted: 'The service was restarted.',
};

export const releaseSentence = (reason: string): string => SENTENCES[reason] ?? 'Its device stopped working.';
