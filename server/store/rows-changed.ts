/** Another process has changed what a change was based on: nothing of the change is left. */
export class RowsChanged extends Error {
  constructor() {
    super('another process has changed the rows');
  }
}
