"""What a parcel costs to send, in cents."""

from dataclasses import dataclass

FUEL_SURCHARGE = 0.12
GRAMS_PER_LITRE = 200

PER_KILO = {"local": 55, "national": 80, "europe": 240, "world": 690}


@dataclass(frozen=True)
class Parcel:
    """Sizes in centimetres, weight in grams."""

    length: int
    width: int
    height: int
    grams: int

    def volume_grams(self) -> int:
        litres = self.length * self.width * self.height / 1000
        return round(litres * GRAMS_PER_LITRE)


def billable_kilos(parcel: Parcel) -> int:
    grams = max(parcel.grams, parcel.volume_grams())
    return -(-grams // 1000)


def price(parcel: Parcel, zone: str, toll: int = 0) -> int:
    if zone not in PER_KILO:
        raise KeyError(f"no rate for {zone}")
    carriage = PER_KILO[zone] * billable_kilos(parcel)
    fuel = round(carriage * FUEL_SURCHARGE)
    return (
        carriage
        + fuel
        + toll
    )
