// Starting, stopping, and starting again, one at a time, whoever asks when.

export interface Server {
    start(): Promise<void>;
    stop(): Promise<void>;
}

/** Runs at most one server. What is asked for while it is being started or stopped is done after that: however often a
 * restart is asked for meanwhile, one follows. After `close` nothing is started any more. */
export class Lifecycle {
    private server: Server | undefined;
    private asked = 0;
    private done = 0;
    private closed = false;
    private work: Promise<void> | undefined;

    /** `make` gives a server to start, or nothing if there is none; it tells the person why by itself. */
    constructor(private readonly make: () => Promise<Server | undefined>, private readonly failed: (error: unknown) => void) {}

    /** Comes back when a server that was started after this call stands, or could not be had. */
    restart(): Promise<void> {
        this.asked += 1;
        return this.settle();
    }

    /** Comes back when no server runs. */
    close(): Promise<void> {
        this.closed = true;
        return this.settle();
    }

    private settle(): Promise<void> {
        this.work ??= this.loop();
        return this.work;
    }

    private async loop(): Promise<void> {
        // The first turn stands behind the caller's own, so that calls made in one breath are one restart.
        await Promise.resolve();
        while (this.done < this.asked || (this.closed && this.server)) {
            this.done = this.asked;
            try {
                await this.stop();
                if (!this.closed) await this.start();
            } catch (error) {
                this.failed(error);
            }
        }
        // In the same turn as the last look at what is asked for, so that nothing asked for later is lost.
        this.work = undefined;
    }

    private async stop(): Promise<void> {
        const server = this.server;
        this.server = undefined;
        await server?.stop();
    }

    private async start(): Promise<void> {
        const server = await this.make();
        if (!server || this.closed) return;
        this.server = server;
        try {
            await server.start();
        } catch (error) {
            this.server = undefined;
            throw error;
        }
    }
}
