import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** The dashboard in a browser of its own, and everything that went wrong in it. */
export class DashboardPage {
  readonly page: Page;
  /** Uncaught errors, and what the console reported as an error: the policy's refusals among them. */
  readonly faults: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('console', (message) => {
      // Chromium reports each answer that is a failure, however well it is dealt with.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load')) this.faults.push(message.text());
    });
  }

  static async open(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<DashboardPage> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
    const dashboard = new DashboardPage(await context.newPage());
    await dashboard.page.goto(url);
    return dashboard;
  }

  async heading(name: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  }

  /** From the page that a sign-in link leads to, to the sessions. */
  async fromHome(): Promise<void> {
    await this.heading('Start a phone');
    await this.page.getByRole('link', { name: 'Running phones' }).click();
    await this.heading('Sessions');
  }

  /** Presses Tab until the named control has the focus. */
  async tabTo(role: 'button' | 'link' | 'textbox', name: string | RegExp): Promise<void> {
    const wanted = this.page.getByRole(role, { name }).first();
    for (let presses = 0; presses < 60; presses++) {
      if (await wanted.evaluate((found) => found === document.activeElement)) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`the keyboard does not reach ${name}`);
  }

  /** Controls that have no name for those who cannot see them. */
  nameless(): Promise<string[]> {
    return this.page
      .locator('a, button, input:not([type=file]), select, img, video, progress')
      .evaluateAll((all: HTMLElement[]) =>
        all
          .filter((one) => one.checkVisibility() && !(one instanceof HTMLImageElement && one.alt === ''))
          .filter((one) => {
            const labels = 'labels' in one ? [...((one.labels as NodeListOf<HTMLElement> | null) ?? [])] : [];
            const text = [one.getAttribute('aria-label'), one.textContent, ...labels.map((label) => label.textContent)];
            return !text.some((words) => words?.trim());
          })
          .map((one) => one.outerHTML.slice(0, 200)),
      );
  }

  /** Elements that extend beyond the window's right edge. */
  overflow(): Promise<string[]> {
    return this.page.locator('body *').evaluateAll((all) =>
      all
        .filter(
          (one) =>
            one.checkVisibility() && one.getBoundingClientRect().right > document.documentElement.clientWidth + 1,
        )
        .filter((one) => !one.classList.contains('hidden-text'))
        .map((one) => one.outerHTML.slice(0, 120)),
    );
  }
}
