import { fetchQuote, type Parcel, type Quote } from "./api";

/** What one customer is about to send. */
export class Cart {
  private readonly parcels: Parcel[] = [];

  add(parcel: Parcel): void {
    if (parcel.grams <= 0) {
      throw new RangeError("a parcel weighs something");
    }
    this.parcels.push(parcel);
  }

  /** The sum of all quotes, in cents. */
  async total(zone: string): Promise<number> {
    let cents = 0;
    for (const parcel of this.parcels) {
      const quote: Quote = await fetchQuote(parcel, zone);
      cents += quote.cents;
    }
    return cents;
  }

  /** One line a parcel, as the label printer wants it. */
  labels(): string[] {
    return this.parcels.map((parcel, index) => `${index + 1} ${parcel.code}`);
  }
}
