import showReference from 'swagger-ui-dist/swagger-ui-es-bundle.js';

/** The reference: the service's own description as a page, where each operation can be tried. */

const dark = matchMedia('(prefers-color-scheme: dark)');
// Swagger UI knows no colours of the system, only this class.
const dress = (): void => void document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', dress);
dress();

const place = document.querySelector('#reference');
if (place) {
  showReference({
    url: '/openapi.json',
    domNode: place,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 2,
    displayRequestDuration: true,
    validatorUrl: null,
    // The service may be reached by another name than its public one; the page talks to where it came from.
    requestInterceptor: (request) => {
      const { pathname, search } = new URL(request.url, location.origin);
      request.url = location.origin + pathname + search;
      return request;
    },
  });
}
