/** What the reference page uses of Swagger UI, which comes without types. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  export interface Options {
    readonly url: string;
    readonly domNode: Element;
    /** The address of the page names the operation that is shown. */
    readonly deepLinking: boolean;
    readonly docExpansion: 'list' | 'full' | 'none';
    /** How far schemas are unfolded at first: 0 shows their names, 1 their fields. */
    readonly defaultModelsExpandDepth: number;
    readonly defaultModelExpandDepth: number;
    readonly displayRequestDuration: boolean;
    /** A service that judges documents; `null` for none. */
    readonly validatorUrl: null;
    readonly requestInterceptor: (request: { url: string }) => { url: string };
  }
  /** Shows the reference in `domNode`. */
  const show: (options: Options) => void;
  // biome-ignore lint/style/noDefaultExport: Swagger UI has this one
  export default show;
}
